package dev.upcall.cli.remote;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What one side tells the other. On the socket: the kind's code, a byte; how many bytes follow, an
 * int, big-endian; those.
 */
record Frame(Kind kind, byte[] bytes) {
  /** Bytes before those of the frame. */
  static final int HEAD_BYTES = 5;

  /** The most bytes of all frames but a call. */
  static final int MAX_BYTES = 64 << 10;

  private static final byte[] NOTHING = {};

  /** What it is. */
  enum Kind {
    /** From the client, first: a {@link RemoteCall}. */
    CALL('C'),
    /** From the client: bytes of its standard input, as many as were wanted or fewer. */
    INPUT('I'),
    /** From the client: its standard input is at its end. */
    INPUT_END('i'),
    /** From the client: its standard input cannot be read, and why. */
    INPUT_FAILED('j'),
    /** From the client: all it was sent stands in its standard output. */
    WRITTEN('W'),
    /** From the client: its standard output takes nothing any more. */
    WRITE_FAILED('w'),
    /** From the client: its user asks for the end. */
    CANCEL('X'),
    /** From the owner: the command begins; what the owner is. */
    STARTED('S'),
    /** From the owner: there will be no command, and why. */
    REFUSED('R'),
    /** From the owner: it has another volume open, which had this name. */
    OTHER_VOLUME('V'),
    /** From the owner: bytes for standard output. */
    OUT('o'),
    /** From the owner: bytes for standard error. */
    ERR('e'),
    /** From the owner: answer when standard output has everything. */
    FLUSH('f'),
    /** From the owner: at most so many bytes of standard input are wanted, an int. */
    WANT('n'),
    /** From the owner, last: the exit code, an int. */
    EXIT('x');

    private final byte code;

    Kind(char code) {
      this.code = (byte) code;
    }

    byte code() {
      return code;
    }

    static Kind of(byte code) throws ProtocolException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new ProtocolException("no frame begins with byte " + code);
    }

    /** How many bytes may follow. */
    int maxBytes() {
      return this == CALL ? RemoteCall.MAX_BYTES : MAX_BYTES;
    }
  }

  static Frame of(Kind kind) {
    return new Frame(kind, NOTHING);
  }

  static Frame of(Kind kind, int number) {
    return new Frame(kind, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
  }

  static Frame of(Kind kind, String text) {
    return new Frame(kind, text.getBytes(StandardCharsets.UTF_8));
  }

  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  int number() throws ProtocolException {
    if (bytes.length != Integer.BYTES) {
      throw new ProtocolException(kind + " with " + bytes.length + " bytes");
    }
    return ByteBuffer.wrap(bytes).getInt();
  }
}
