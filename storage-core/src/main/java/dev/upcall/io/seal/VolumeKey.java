package dev.upcall.io.seal;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key with which the blocks of a volume are encrypted. It never changes and shows nothing of
 * itself.
 */
public final class VolumeKey implements AutoCloseable {
  /** Bytes of a key. */
  public static final int BYTES = Xts.KEY_BYTES;

  private final byte[] bytes;

  /**
   * A key.
   *
   * @param bytes {@link Xts#KEY_BYTES} of them, random; the key's own from now on
   */
  public VolumeKey(byte[] bytes) {
    Invariants.check(bytes.length == Xts.KEY_BYTES, "bytes of a volume's key", bytes.length);
    int half = bytes.length / 2;
    Invariants.check(
        !Arrays.equals(bytes, 0, half, bytes, half, bytes.length), "both halves are the same");
    this.bytes = bytes;
  }

  /** A cipher of blocks, for one thread at a time. */
  Xts newCipher() {
    return new Xts(bytes, Disk.BLOCK_BYTES);
  }

  SecretKey asSecretKey() {
    return new SecretKeySpec(bytes, "AES");
  }

  /** Zeros it. Ciphers that were made go on. */
  @Override
  public void close() {
    Arrays.fill(bytes, (byte) 0);
  }

  @Override
  public String toString() {
    return "the key of a volume";
  }
}
