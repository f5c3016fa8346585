package dev.upcall.cli.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client of an owner, and its command. The command's thread runs it and waits for the client's
 * answers; the reader's hears the client whatever the command does, so that its end is noticed.
 */
final class ServedCommand implements RemoteConsole, Runnable {
  private static final long CALL_SECONDS = 5;

  /** Where it stands. */
  private enum State {
    /** The client has not said yet what it wants. */
    CALLING,
    /** The command runs. */
    RUNNING,
    /** The client asked for the end, and waits until the command has found it. */
    CANCELLED,
    /** Nobody is there any more. */
    GONE
  }

  private final FrameChannel channel;
  private final Owner owner;
  private final Consumer<ServedCommand> whenOver;
  private final OutputStream out = new Out();
  private final OutputStream err = new Err();
  private final InputStream in = new In();

  private State state = State.CALLING;
  private boolean endsByItself;
  private boolean asked = true;
  private @Nullable Frame answer;
  private Runnable action = () -> {};

  /**
   * Who answers.
   *
   * @param volumeKey which file it has open
   * @param name what it is, for a person
   * @param commands what runs commands
   * @param threads where they get their threads
   */
  record Owner(
      String volumeKey,
      String name,
      CommandListener.Commands commands,
      CommandListener.Threads threads) {}

  ServedCommand(SocketChannel socket, Owner owner, Consumer<ServedCommand> whenOver) {
    this.channel = new FrameChannel(socket);
    this.owner = owner;
    this.whenOver = whenOver;
  }

  // ------------------------------------------------------------------ the command's thread

  @Override
  public void run() {
    try (channel) {
      if (owner.threads().start("command client", this::hear)) {
        serve();
      } else {
        channel.send(Frame.of(Frame.Kind.REFUSED, CommandListener.NO_THREAD));
      }
    } catch (ClientGone | IOException gone) {
      cancel(State.GONE);
    } finally {
      whenOver.accept(this);
    }
  }

  private void serve() throws IOException {
    RemoteCall call;
    try {
      Frame first = answerWithin(CALL_SECONDS);
      if (first.kind() != Frame.Kind.CALL) {
        throw new ProtocolException(first.kind() + " before a call");
      }
      call = RemoteCall.decoded(first.bytes());
    } catch (ProtocolException wrong) {
      channel.send(Frame.of(Frame.Kind.REFUSED, String.valueOf(wrong.getMessage())));
      return;
    }
    if (!call.volumeKey().equals(owner.volumeKey())) {
      channel.send(Frame.of(Frame.Kind.OTHER_VOLUME));
      return;
    }
    begin();
    channel.send(Frame.of(Frame.Kind.STARTED, owner.name()));
    int code = owner.commands().run(call, this);
    channel.send(Frame.of(Frame.Kind.EXIT, code));
  }

  private synchronized void begin() {
    if (state == State.CALLING) {
      state = State.RUNNING;
    }
  }

  /** Tells the client that there is no place for it. */
  void refuse(String reason) {
    try (channel) {
      channel.send(Frame.of(Frame.Kind.REFUSED, reason));
    } catch (IOException gone) {
      cancel(State.GONE);
    }
  }

  /** Sends something that must be answered, and waits for that. */
  private Frame ask(Frame frame) {
    synchronized (this) {
      asked = true;
    }
    send(frame.kind(), frame.bytes(), 0, frame.bytes().length);
    return answerWithin(Long.MAX_VALUE);
  }

  private synchronized Frame answerWithin(long seconds) {
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (answer == null && state != State.GONE) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (seconds != Long.MAX_VALUE && leftMillis <= 0) {
        throw new ClientGone();
      }
      try {
        wait(seconds == Long.MAX_VALUE ? 0 : leftMillis);
      } catch (InterruptedException during) {
        Thread.currentThread().interrupt();
        throw new ClientGone();
      }
    }
    Frame got = answer;
    if (got == null) {
      throw new ClientGone();
    }
    answer = null;
    return got;
  }

  private void send(Frame.Kind kind, byte[] bytes, int offset, int length) {
    try {
      for (int at = 0; at < length || at == 0; at += Frame.MAX_BYTES) {
        channel.send(kind, bytes, offset + at, Math.min(Frame.MAX_BYTES, length - at));
      }
    } catch (IOException gone) {
      cancel(State.GONE);
    }
  }

  // ------------------------------------------------------------------ the reader's thread

  private void hear() {
    try {
      for (Frame frame = channel.receive(); frame != null; frame = channel.receive()) {
        if (frame.kind() == Frame.Kind.CANCEL) {
          cancel(State.CANCELLED);
        } else {
          answered(frame);
        }
      }
    } catch (IOException wrong) {
      if (wrong instanceof ProtocolException && isCalling()) {
        refuse(String.valueOf(wrong.getMessage()));
      }
    }
    cancel(State.GONE);
  }

  private synchronized boolean isCalling() {
    return state == State.CALLING;
  }

  private synchronized void answered(Frame frame) throws ProtocolException {
    if (!asked) {
      throw new ProtocolException(frame.kind() + " that was not asked for");
    }
    asked = false;
    answer = frame;
    notifyAll();
  }

  // ------------------------------------------------------------------ its end

  /** The owner ends it, as if the client had asked for that. */
  void cancel() {
    cancel(State.CANCELLED);
  }

  /** The owner cannot wait any longer. */
  void cutOff() {
    cancel(State.GONE);
  }

  private void cancel(State wanted) {
    State now = state(wanted);
    if (now == null) {
      return;
    }
    runAction();
    if (now == State.GONE) {
      try {
        channel.close();
      } catch (IOException failed) {
        throw new IllegalStateException("closing a socket", failed);
      }
    }
  }

  /** Moves on to the end; returns the new state, or null if it was there. */
  private synchronized @Nullable State state(State wanted) {
    State now = endsByItself ? wanted : State.GONE;
    if (state == State.GONE || state == now) {
      return null;
    }
    state = now;
    notifyAll();
    return now;
  }

  private void runAction() {
    Runnable then;
    synchronized (this) {
      then = action;
    }
    then.run();
  }

  // ------------------------------------------------------------------ what the command sees

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public OutputStream err() {
    return err;
  }

  @Override
  public void whenCancelled(Runnable wanted) {
    synchronized (this) {
      action = wanted;
      if (state == State.CALLING || state == State.RUNNING) {
        return;
      }
    }
    wanted.run();
  }

  @Override
  public synchronized void endsByItself() {
    if (state != State.GONE) {
      endsByItself = true;
    }
  }

  /** Whether output still has a reader; a command that would not end otherwise is ended here. */
  private synchronized boolean isHeard() {
    if (state == State.GONE && !endsByItself) {
      throw new ClientGone();
    }
    return state != State.GONE;
  }

  private final class Out extends OutputStream {
    private boolean sent;

    @Override
    public void write(int oneByte) {
      write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (length > 0 && isHeard()) {
        sent = true;
        send(Frame.Kind.OUT, bytes, offset, length);
      }
    }

    @Override
    public void flush() throws IOException {
      if (sent && isHeard()) {
        sent = false;
        if (ask(Frame.of(Frame.Kind.FLUSH)).kind() != Frame.Kind.WRITTEN) {
          throw new IOException("the client cannot write");
        }
      }
    }
  }

  private final class Err extends OutputStream {
    @Override
    public void write(int oneByte) {
      write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (length > 0) {
        send(Frame.Kind.ERR, bytes, offset, length);
      }
    }
  }

  private final class In extends InputStream {
    private boolean ended;

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (ended) {
        return -1;
      }
      int wanted = Math.min(length, Frame.MAX_BYTES);
      Frame got = ask(Frame.of(Frame.Kind.WANT, wanted));
      switch (got.kind()) {
        case INPUT -> {
          if (got.bytes().length == 0 || got.bytes().length > wanted) {
            throw new ProtocolException("%d bytes for %d".formatted(got.bytes().length, wanted));
          }
          System.arraycopy(got.bytes(), 0, into, offset, got.bytes().length);
          return got.bytes().length;
        }
        case INPUT_END -> {
          ended = true;
          return -1;
        }
        default -> throw new IOException(got.text());
      }
    }
  }
}
