package dev.upcall.fsm.record;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Numbers for names that are not to be recorded: the same one for the same name, wherever it is, so
 * that a link, or a directory under a new name, leads to the same; and nobody who has not the key
 * can tell a name from its number, or try which it might be. One thread; about a microsecond a
 * name.
 */
public final class NameNumbers {
  /** The number of what needs none. */
  public static final long NONE = 0;

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

  /** The number of a name. */
  public long of(byte[] name) {
    return ByteBuffer.wrap(mac.doFinal(Objects.requireNonNull(name, "name"))).getLong();
  }
}
