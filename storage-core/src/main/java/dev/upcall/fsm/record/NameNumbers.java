package dev.upcall.fsm.record;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Numbers for names that are not to be recorded: the same one for the same path, and nobody who has
 * not the key can tell a path from its number, or try which it might be. One thread; about a
 * microsecond a name.
 */
public final class NameNumbers {
  /** The number of the root, above all names. */
  public static final long ROOT = 0;

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;

  /**
   * Numbers under a key.
   *
   * @param key random, kept nowhere
   */
  public NameNumbers(byte[] key) {
    Objects.requireNonNull(key, "key");
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every Java has " + ALGORITHM, missing);
    }
  }

  /**
   * The number of a path.
   *
   * @param parent that of the path without its last name, or {@link #ROOT}
   * @param name the last name
   */
  public long of(long parent, byte[] name) {
    Objects.requireNonNull(name, "name");
    mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, parent));
    return ByteBuffer.wrap(mac.doFinal(name)).getLong();
  }
}
