package dev.upcall.guard;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The signs by which a request shows its caller. Its text does not tell the secret.
 *
 * @param secret a token, which came as Bearer or as the password of Basic
 * @param certificateNames subject alternative names of a client certificate that was verified, as
 *     their plain values
 */
public record Credentials(Optional<String> secret, List<String> certificateNames) {
  /** Checks that nothing is missing. */
  public Credentials {
    Objects.requireNonNull(secret, "secret");
    certificateNames = List.copyOf(Objects.requireNonNull(certificateNames, "certificateNames"));
  }

  /** A token and no certificate. */
  public static Credentials ofSecret(String secret) {
    return new Credentials(Optional.of(Objects.requireNonNull(secret, "secret")), List.of());
  }

  @Override
  public String toString() {
    return "Credentials[" + (secret.isPresent() ? "a secret" : "no secret") + "]";
  }
}
