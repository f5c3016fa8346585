package dev.upcall.cli.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.ProtocolException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A command's way to the process that has its store open. */
public final class OwnerConnection implements AutoCloseable {
  private final FrameChannel channel;
  private final BlockingQueue<Integer> wanted = new LinkedBlockingQueue<>();
  private @Nullable Thread input;

  private OwnerConnection(SocketChannel socket) {
    this.channel = new FrameChannel(socket);
  }

  /**
   * What a command has here.
   *
   * @param in standard input
   * @param out standard output
   * @param err standard error
   * @param started told what the owner is, before the command begins
   */
  public record Streams(
      InputStream in, PrintStream out, PrintStream err, Consumer<String> started) {}

  /**
   * Connects to the owner of a volume.
   *
   * @return null when nobody listens; then the volume may be free, or its owner does not listen
   * @throws IOException when somebody does who could not have opened the volume
   */
  public static @Nullable OwnerConnection open(Path volume) throws IOException {
    if (!Files.exists(volume)) {
      return null;
    }
    Path real = volume.toRealPath();
    Path socket = CommandSocket.of(real);
    if (!Files.exists(socket)) {
      return null;
    }
    SocketChannel channel;
    try {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    } catch (IOException nobody) {
      // Of an owner that was killed, or not ours to use: opening the volume will tell.
      return null;
    }
    UserPrincipal peer = CommandSocket.peer(channel);
    Set<UserPrincipal> trusted = CommandSocket.ourselves();
    trusted.add(Files.getOwner(real));
    if (!trusted.contains(peer)) {
      channel.close();
      throw new IOException(
          "user "
              + peer.getName()
              + " listens at "
              + socket
              + ", who is not the owner of the store");
    }
    return new OwnerConnection(channel);
  }

  /** Asks for the command's end. Any thread. */
  public void cancel() {
    try {
      channel.send(Frame.of(Frame.Kind.CANCEL));
    } catch (IOException ended) {
      // It has ended.
    }
  }

  /**
   * Has the command run and passes on what it reads and writes.
   *
   * @return its exit code; nothing when the owner has another volume open, or ends before it has
   *     begun
   * @throws IOException when the owner refuses, or ends before the command
   */
  public OptionalInt run(RemoteCall call, Streams streams) throws IOException {
    Frame first = new Frame(Frame.Kind.CALL, call.encoded());
    try {
      channel.send(first);
    } catch (IOException refused) {
      // An owner that has no place closes at once; what it has said before is read below.
    }
    boolean started = false;
    for (Frame frame = receive(); frame != null; frame = receive()) {
      switch (frame.kind()) {
        case STARTED -> {
          started = true;
          streams.started().accept(frame.text());
        }
        case REFUSED -> throw new IOException(frame.text());
        case OTHER_VOLUME -> {
          return OptionalInt.empty();
        }
        case OUT -> streams.out().write(frame.bytes(), 0, frame.bytes().length);
        case ERR -> streams.err().write(frame.bytes(), 0, frame.bytes().length);
        case FLUSH ->
            channel.send(
                Frame.of(
                    streams.out().checkError() ? Frame.Kind.WRITE_FAILED : Frame.Kind.WRITTEN));
        case WANT -> want(frame.number(), streams.in());
        case EXIT -> {
          return OptionalInt.of(frame.number());
        }
        default -> throw new ProtocolException(frame.kind() + " from an owner");
      }
    }
    if (!started) {
      return OptionalInt.empty();
    }
    throw new IOException("the process that had the store open ended before this command did");
  }

  /** The next frame, or null when the owner has gone, in whatever way. */
  private @Nullable Frame receive() throws ProtocolException {
    try {
      return channel.receive();
    } catch (ProtocolException wrong) {
      throw wrong;
    } catch (IOException gone) {
      return null;
    }
  }

  /** Standard input has a thread of its own: whoever types is waited for, and must not be. */
  private void want(int bytes, InputStream in) throws ProtocolException {
    if (bytes < 1 || bytes > Frame.MAX_BYTES) {
      throw new ProtocolException("an owner that wants " + bytes + " bytes");
    }
    if (input == null) {
      input = Thread.ofPlatform().daemon().name("input").start(() -> read(in));
    }
    wanted.add(bytes);
  }

  private void read(InputStream in) {
    try {
      while (true) {
        channel.send(next(in, wanted.take()));
      }
    } catch (IOException | InterruptedException over) {
      // The command has ended: nobody wants more.
    }
  }

  private static Frame next(InputStream in, int most) {
    byte[] bytes = new byte[most];
    try {
      int got = in.read(bytes);
      return got < 0
          ? Frame.of(Frame.Kind.INPUT_END)
          : new Frame(Frame.Kind.INPUT, Arrays.copyOf(bytes, got));
    } catch (IOException unreadable) {
      return Frame.of(Frame.Kind.INPUT_FAILED, String.valueOf(unreadable.getMessage()));
    }
  }

  @Override
  public void close() throws IOException {
    if (input != null) {
      input.interrupt();
    }
    channel.close();
  }
}
