package dev.upcall.httpd.tls;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.TlsConfig;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the engines of connections, with the certificates in force: those that were read last and
 * were good. A connection keeps those that it began with. Any thread that may wait.
 */
public final class TlsEngines implements AutoCloseable {
  /** No suite without forward secrecy, none that does not encrypt and authenticate in one. */
  private static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  private static final ApplicationProtocolConfig PROTOCOL =
      new ApplicationProtocolConfig(
          Protocol.ALPN,
          SelectorFailureBehavior.NO_ADVERTISE,
          SelectedListenerFailureBehavior.ACCEPT,
          ApplicationProtocolNames.HTTP_1_1);

  private final TlsConfig config;
  private final SslProvider provider;
  private SslContext context;
  private X509Certificate certificate;
  private boolean closed;

  private TlsEngines(TlsConfig config, SslProvider provider, Credentials credentials) {
    this.config = config;
    this.provider = provider;
    this.context = tried(provider, credentials);
    this.certificate = credentials.chain().getFirst();
  }

  /**
   * Reads the files and tries the engine.
   *
   * @throws UpcallException {@code Invalid} with the file that is bad and why, or why the engine
   *     cannot be used
   */
  public static TlsEngines load(TlsConfig config) {
    Credentials credentials = Credentials.read(config);
    return switch (config.engine()) {
      case JDK -> new TlsEngines(config, SslProvider.JDK, credentials);
      case BORINGSSL -> {
        String missing = boringSslMissing();
        if (missing != null) {
          throw UpcallException.of(new Failure.Invalid("BoringSSL cannot be used: " + missing));
        }
        yield new TlsEngines(config, SslProvider.OPENSSL_REFCNT, credentials);
      }
      case AUTO -> best(config, credentials);
    };
  }

  private static TlsEngines best(TlsConfig config, Credentials credentials) {
    if (boringSslMissing() == null) {
      try {
        return new TlsEngines(config, SslProvider.OPENSSL_REFCNT, credentials);
      } catch (UpcallException unfit) {
        // The JDK's engine says itself if it is the certificate's fault.
      }
    }
    return new TlsEngines(config, SslProvider.JDK, credentials);
  }

  /** Why BoringSSL is not there, or null if it is. */
  private static @Nullable String boringSslMissing() {
    if (OpenSsl.isAvailable()) {
      return null;
    }
    Throwable cause = OpenSsl.unavailabilityCause();
    return cause instanceof ClassNotFoundException
        ? "netty-tcnative-boringssl-static is not among the libraries of this program"
        : cause == null ? "unknown reason" : String.valueOf(cause.getMessage());
  }

  /** Engines that have made a connection to each other. */
  private static SslContext tried(SslProvider provider, Credentials credentials) {
    try {
      SslContext open = context(provider, credentials, List.of());
      try {
        TlsTrial.run(open, provider);
      } finally {
        ReferenceCountUtil.release(open);
      }
      return context(provider, credentials, credentials.clientAuthorities());
    } catch (SSLException | RuntimeException refused) {
      String name = provider == SslProvider.JDK ? "the JDK" : "BoringSSL";
      throw UpcallException.of(
          new Failure.Invalid(
              "TLS of %s does not work with this certificate: %s"
                  .formatted(name, refused.getMessage())));
    }
  }

  private static SslContext context(
      SslProvider provider, Credentials credentials, List<X509Certificate> authorities)
      throws SSLException {
    SslContextBuilder builder =
        SslContextBuilder.forServer(
                credentials.key(), credentials.chain().toArray(X509Certificate[]::new))
            .sslProvider(provider)
            .protocols("TLSv1.3", "TLSv1.2")
            .ciphers(SUITES, SupportedCipherSuiteFilter.INSTANCE)
            .applicationProtocolConfig(PROTOCOL);
    if (!authorities.isEmpty()) {
      builder
          .trustManager(authorities.toArray(X509Certificate[]::new))
          .clientAuth(ClientAuth.REQUIRE);
    }
    return builder.build();
  }

  /**
   * Reads the files again: new connections use what they hold from now on.
   *
   * @throws UpcallException {@code Invalid} with the file that is bad and why; then nothing changes
   */
  public void reload() {
    Credentials credentials = Credentials.read(config);
    replace(tried(provider, credentials), credentials.chain().getFirst());
  }

  private synchronized void replace(SslContext next, X509Certificate first) {
    ReferenceCountUtil.release(closed ? next : context);
    if (!closed) {
      context = next;
      certificate = first;
    }
  }

  /** An engine of a new connection; it is released by who has it. */
  synchronized SSLEngine newEngine() {
    if (closed) {
      throw new IllegalStateException("no certificates are in force any more");
    }
    return context.newEngine(PooledByteBufAllocator.DEFAULT);
  }

  /** Whether the engines work on direct memory rather than on arrays. */
  boolean isNative() {
    return provider != SslProvider.JDK;
  }

  /** Which engine, whose certificate, and until when, in one line. */
  public synchronized String describe() {
    return "TLS 1.3 and 1.2 by %s, certificate of %s until %s"
        .formatted(
            isNative() ? "BoringSSL" : "the JDK",
            certificate.getSubjectX500Principal().getName(),
            certificate.getNotAfter().toInstant());
  }

  /** No more engines; those that there are go on. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      ReferenceCountUtil.release(context);
    }
  }
}
