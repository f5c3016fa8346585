package dev.upcall.txn.dedup;

import dev.upcall.base.Invariants;
import dev.upcall.segment.layout.KnownContent;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** The two hashes of content that comes in slices: SHA-256, of which the first bits are used. */
final class Hashes {
  private final MessageDigest digest;
  private final int bits;
  private byte @Nullable [] first;
  private byte @Nullable [] key;

  /**
   * Of no bytes yet.
   *
   * @param bits how many of each hash are used
   */
  Hashes(int bits) {
    this.bits = bits;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("a Java platform without SHA-256", missing);
    }
  }

  /** The next bytes, all that remain. */
  void update(ByteBuffer bytes) {
    digest.update(bytes);
  }

  /** The hash of what came so far is the first one. */
  byte[] endOfFirst() {
    try {
      byte[] hash = used(((MessageDigest) digest.clone()).digest());
      first = hash;
      return hash;
    } catch (CloneNotSupportedException fixed) {
      throw new IllegalStateException("a SHA-256 that cannot be copied", fixed);
    }
  }

  /** The key of the whole; nothing may come behind it. */
  byte[] key() {
    byte[] whole = key;
    if (whole == null) {
      whole = KnownContent.key(Invariants.present(first, "the first hash"), used(digest.digest()));
      key = whole;
    }
    return whole;
  }

  private byte[] used(byte[] hash) {
    byte[] used = new byte[KnownContent.HASH_BYTES];
    int bytes = bits / Byte.SIZE;
    System.arraycopy(hash, 0, used, 0, bytes);
    int rest = bits % Byte.SIZE;
    if (rest > 0) {
      used[bytes] = (byte) (hash[bytes] & (0xff << (Byte.SIZE - rest)));
    }
    return used;
  }
}
