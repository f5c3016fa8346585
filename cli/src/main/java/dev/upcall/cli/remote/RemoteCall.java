package dev.upcall.cli.remote;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A command line and what the owner has to know of the process in which it was given.
 *
 * @param arguments the command and its arguments
 * @param directory the client's current directory, absolute
 * @param volume how the client calls the volume
 * @param volumeKey the file that has this name there (device and number), as {@link
 *     CommandSocket#key} says it
 * @param interactive whether messages go to a terminal
 * @param named what the client has found under the names of the host's files in the command line
 */
public record RemoteCall(
    List<String> arguments,
    String directory,
    String volume,
    String volumeKey,
    boolean interactive,
    Named named) {
  /** The most bytes of one. */
  static final int MAX_BYTES = 1 << 20;

  /** "UPCM". */
  private static final int MAGIC = 0x5550434D;

  /** What both sides must speak: of the call and of the frames behind it. */
  static final int VERSION = 2;

  /**
   * The files that a client has found under names of its host. They are opened by the client, which
   * sends their bytes as standard input, and writes standard output into them: the owner may find
   * another file under the same name.
   *
   * @param inputBytes how many bytes standard input has, or -1 where nobody knows
   * @param inputKey which file standard input comes from, as {@link CommandSocket#key} says it, or
   *     empty
   * @param outputKey which file standard output goes to, likewise
   * @param folder the directory whose tree the command reads or writes, or none
   */
  public record Named(long inputBytes, String inputKey, String outputKey, HostFolder folder) {
    /** Nothing. */
    public static final Named NONE = new Named(-1, "", "", HostFolder.NONE);
  }

  /** Copies. */
  public RemoteCall {
    arguments = List.copyOf(arguments);
  }

  /**
   * As bytes: magic, version, whether interactive; then texts, each behind its length, with the
   * size of standard input before what it is.
   */
  byte[] encoded() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(MAGIC);
    out.writeInt(VERSION);
    out.writeBoolean(interactive);
    write(out, directory);
    write(out, volume);
    write(out, volumeKey);
    out.writeLong(named.inputBytes());
    write(out, named.inputKey());
    write(out, named.outputKey());
    write(out, named.folder().path());
    write(out, named.folder().key());
    write(out, named.folder().mounts());
    out.writeInt(arguments.size());
    for (String argument : arguments) {
      write(out, argument);
    }
    if (bytes.size() > MAX_BYTES) {
      throw new IOException(
          "a command line of %d bytes is too long for the process that has the store open, at most %d"
              .formatted(bytes.size(), MAX_BYTES));
    }
    return bytes.toByteArray();
  }

  /** Reads one back, from a client that may be anybody. */
  static RemoteCall decoded(byte[] bytes) throws ProtocolException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      if (in.readInt() != MAGIC) {
        throw new ProtocolException("this is no call of a command");
      }
      int version = in.readInt();
      if (version != VERSION) {
        throw new ProtocolException(
            "the process that has the store open speaks version %d, this command %d; use the same upcall"
                .formatted(VERSION, version));
      }
      boolean interactive = in.readBoolean();
      String directory = text(in);
      String volume = text(in);
      String volumeKey = text(in);
      Named named =
          new Named(
              in.readLong(), text(in), text(in), new HostFolder(text(in), text(in), text(in)));
      int count = in.readInt();
      List<String> arguments = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        arguments.add(text(in));
      }
      if (in.read() >= 0) {
        throw new ProtocolException("a call with something behind it");
      }
      return new RemoteCall(arguments, directory, volume, volumeKey, interactive, named);
    } catch (ProtocolException wrong) {
      throw wrong;
    } catch (IOException cut) {
      throw new ProtocolException("a call that is cut off: " + cut.getMessage());
    }
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new EOFException("a text of " + length + " bytes");
    }
    byte[] bytes = in.readNBytes(length);
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
