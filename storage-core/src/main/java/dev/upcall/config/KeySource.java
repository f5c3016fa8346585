package dev.upcall.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * Where the key of an encrypted store comes from. It is read anew with each opening, on the thread
 * that opens, and forgotten when the store has opened. It shows nothing of itself: {@code toString}
 * says neither the key nor the command.
 *
 * <p>A key is 32 to 4096 random bytes, taken as they are, a line end with them. A passphrase is
 * what a person remembers, as UTF-8: it is strengthened (PBKDF2 with HMAC-SHA512, 210,000 rounds),
 * which takes a part of a second with each opening.
 */
public abstract sealed class KeySource {
  /** Of one {@code char}. */
  private static final int MOST_UTF_8_BYTES = 3;

  private KeySource() {}

  /** A key. The bytes are copied, and kept as long as this is. */
  public static KeySource ofBytes(byte[] key) {
    return new Bytes(Objects.requireNonNull(key, "key").clone(), /* isPassphrase= */ false);
  }

  /** A passphrase. Kept as long as this is. */
  public static KeySource ofPassphrase(char[] passphrase) {
    byte[] room =
        new byte[MOST_UTF_8_BYTES * Objects.requireNonNull(passphrase, "passphrase").length];
    ByteBuffer encoded = ByteBuffer.wrap(room);
    StandardCharsets.UTF_8
        .newEncoder()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .encode(CharBuffer.wrap(passphrase), encoded, /* endOfInput= */ true);
    byte[] bytes = Arrays.copyOf(room, encoded.position());
    Arrays.fill(room, (byte) 0);
    return new Bytes(bytes, /* isPassphrase= */ true);
  }

  /** A file with a key. It is refused where others than its owner may read it. */
  public static KeySource ofFile(Path file) {
    return new File(Objects.requireNonNull(file, "file"), /* isPassphrase= */ false);
  }

  /**
   * A file with a passphrase, whose last line end does not count. It is refused where others than
   * its owner may read it.
   */
  public static KeySource ofPassphraseFile(Path file) {
    return new File(Objects.requireNonNull(file, "file"), /* isPassphrase= */ true);
  }

  /**
   * A command for {@code /bin/sh}, whose standard output is a key. It must end with 0 within a
   * minute, and so must what it starts, if that keeps the output; what it says besides goes where
   * this process's errors go.
   */
  public static KeySource ofCommand(String command) {
    return new Command(Objects.requireNonNull(command, "command"));
  }

  @Override
  public final String toString() {
    return "a key source";
  }

  /** Bytes that the program has. */
  public static final class Bytes extends KeySource {
    private final byte[] bytes;
    private final boolean isPassphrase;

    private Bytes(byte[] bytes, boolean isPassphrase) {
      this.bytes = bytes;
      this.isPassphrase = isPassphrase;
    }

    /** A copy of them. */
    public byte[] bytes() {
      return bytes.clone();
    }

    /** Whether a person remembers them. */
    public boolean isPassphrase() {
      return isPassphrase;
    }
  }

  /** A file. */
  public static final class File extends KeySource {
    private final Path path;
    private final boolean isPassphrase;

    private File(Path path, boolean isPassphrase) {
      this.path = path;
      this.isPassphrase = isPassphrase;
    }

    /** Where it is. */
    public Path path() {
      return path;
    }

    /** Whether a person remembers what is in it. */
    public boolean isPassphrase() {
      return isPassphrase;
    }
  }

  /** A command. */
  public static final class Command extends KeySource {
    private final String line;

    private Command(String line) {
      this.line = line;
    }

    /** The command line for the shell. */
    public String line() {
      return line;
    }
  }
}
