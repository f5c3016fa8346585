package dev.upcall.httpd;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a server finds what it needs for TLS: PEM files, which are read when the server is made and
 * when they are asked for again.
 *
 * @param certificates the server's certificate, and behind it those that lead to its authority
 * @param key the private key of the first certificate, in PKCS #8 form and not encrypted; nobody
 *     but its owner may read it
 * @param clientAuthorities certificates of those who may have issued a client's; every client must
 *     have one then. Empty if no client is asked for one
 * @param engine what encrypts
 */
public record TlsConfig(
    Path certificates, Path key, Optional<Path> clientAuthorities, Engine engine) {
  /** The library that encrypts. */
  public enum Engine {
    /** BoringSSL where it is there and works, else the JDK's. */
    AUTO,
    /** The JDK's own engine. */
    JDK,
    /** Google's library, which a program gets with {@code netty-tcnative-boringssl-static}. */
    BORINGSSL
  }

  /** Checks that nothing is missing. */
  public TlsConfig {
    Objects.requireNonNull(certificates, "certificates");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(clientAuthorities, "clientAuthorities");
    Objects.requireNonNull(engine, "engine");
  }

  /** For clients without certificates, by whatever engine works best. */
  public static TlsConfig of(Path certificates, Path key) {
    return new TlsConfig(certificates, key, Optional.empty(), Engine.AUTO);
  }

  /** The same for clients that must have a certificate of one of these authorities. */
  public TlsConfig withClientAuthorities(Path authorities) {
    return new TlsConfig(
        certificates, key, Optional.of(Objects.requireNonNull(authorities, "authorities")), engine);
  }

  /** The same by a certain engine. */
  public TlsConfig withEngine(Engine other) {
    return new TlsConfig(certificates, key, clientAuthorities, other);
  }
}
