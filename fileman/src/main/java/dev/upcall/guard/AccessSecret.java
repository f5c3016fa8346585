package dev.upcall.guard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Tokens: {@value #PREFIX} and 160 random bits. Nobody guesses one, so that a single SHA-256 is all
 * that has to be kept of it.
 */
public final class AccessSecret {
  /** By which programs that look for secrets in texts find one. */
  public static final String PREFIX = "upcall_";

  private static final int BYTES = 20;

  private AccessSecret() {}

  /**
   * A new one.
   *
   * @param random has to be one for secrets, such as {@code SecureRandom}
   */
  public static String create(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    Objects.requireNonNull(random, "random").nextBytes(bytes);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Its SHA-256, of which rules have the text in hexadecimal. */
  public static byte[] digest(String secret) {
    Objects.requireNonNull(secret, "secret");
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java has SHA-256", missing);
    }
  }
}
