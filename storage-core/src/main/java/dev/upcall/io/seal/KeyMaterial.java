package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The secret that opens a slot, read from where it is kept. Its owner clears it after use. It shows
 * nothing of itself.
 */
public final class KeyMaterial implements AutoCloseable {
  /** The fewest bytes of a key that is not a passphrase. */
  public static final int MIN_KEY_BYTES = 32;

  /** The most bytes of a key or a passphrase. */
  public static final int MAX_BYTES = 4096;

  private final boolean passphrase;
  private final byte[] bytes;

  private KeyMaterial(boolean passphrase, byte[] bytes) {
    Invariants.check(bytes.length > 0 && bytes.length <= MAX_BYTES, "bytes of a key", bytes.length);
    this.passphrase = passphrase;
    this.bytes = bytes;
  }

  /** A key as random as it is long, of {@link #MIN_KEY_BYTES} or more; owns the array. */
  public static KeyMaterial ofKey(byte[] key) {
    Invariants.check(key.length >= MIN_KEY_BYTES, "bytes of a key", key.length);
    return new KeyMaterial(false, key);
  }

  /** A passphrase in UTF-8; owns the array. */
  public static KeyMaterial ofPassphrase(byte[] passphrase) {
    return new KeyMaterial(true, passphrase);
  }

  /**
   * Whether no other secret is taken for this one: of a passphrase that is no text in UTF-8 a slot
   * would tell some bytes not apart.
   */
  public boolean isDistinct() {
    if (!passphrase) {
      return true;
    }
    try {
      CharBuffer letters = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      Arrays.fill(letters.array(), '\0');
      return true;
    } catch (CharacterCodingException noText) {
      return false;
    }
  }

  boolean isPassphrase() {
    return passphrase;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Zeros it. */
  @Override
  public void close() {
    Arrays.fill(bytes, (byte) 0);
  }

  @Override
  public String toString() {
    return "a key";
  }
}
