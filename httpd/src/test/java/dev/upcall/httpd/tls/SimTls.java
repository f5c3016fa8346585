package dev.upcall.httpd.tls;

import dev.upcall.base.TestCertificates;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.session.FlushQueue;
import dev.upcall.httpd.session.SimTlsClient;
import java.security.NoSuchAlgorithmException;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * TLS over simulated connections, by the JDK's engine or BoringSSL. Steps of handshakes are
 * computed by the one thread there is, each after a while. Keys are drawn by the engine, not from
 * the seed: so a seed gives the same clients and the same site twice, and not the same sizes of
 * records.
 */
public final class SimTls {
  private static final class Engines {
    static final TlsEngines JDK = TlsEngines.load(TestTls.server(TlsConfig.Engine.JDK));

    static final TlsEngines BORINGSSL = TlsEngines.load(TestTls.server(TlsConfig.Engine.BORINGSSL));

    /** Those that ask clients for certificates. */
    static final TlsEngines ASKING =
        TlsEngines.load(
            TestTls.server(TlsConfig.Engine.JDK)
                .withClientAuthorities(TestCertificates.shared().authority()));

    static TlsEngines of(TlsConfig.Engine engine) {
      return engine == TlsConfig.Engine.BORINGSSL ? BORINGSSL : JDK;
    }
  }

  private SimTls() {}

  /** From now on connections of that world are TLS. */
  public static void under(SessionWorld world, HttpConfig config, SplittableRandom random) {
    under(world, config, Engines.JDK, random);
  }

  /** The same, and the server asks clients for their certificates. */
  public static void underForKnown(SessionWorld world, HttpConfig config, SplittableRandom random) {
    under(world, config, Engines.ASKING, random);
  }

  private static void under(
      SessionWorld world, HttpConfig config, TlsEngines engines, SplittableRandom random) {
    TlsService service =
        service(
            world,
            config,
            engines,
            step -> {
              world.reactor.after(random.nextInt(3_000_000), step);
              return true;
            });
    world.over = service::over;
  }

  /** A service of that world whose steps go there. */
  static TlsService service(SessionWorld world, HttpConfig config, Predicate<Runnable> threads) {
    return service(world, config, Engines.JDK, threads);
  }

  /** The same by a certain engine. */
  static TlsService service(
      SessionWorld world, HttpConfig config, TlsConfig.Engine kind, Predicate<Runnable> threads) {
    return service(world, config, Engines.of(kind), threads);
  }

  private static TlsService service(
      SessionWorld world, HttpConfig config, TlsEngines engines, Predicate<Runnable> threads) {
    FlushQueue flushQueue = new FlushQueue(world.dispatcher);
    return new TlsService(config, world.dispatcher, flushQueue, engines, threads);
  }

  /** A client of such a server. */
  public static SimTlsClient client(String protocol) {
    return client(TestCertificates.shared().client(), protocol);
  }

  /** The same with a certificate. */
  public static SimTlsClient known(String protocol) {
    return client(TestCertificates.shared().client("client"), protocol);
  }

  /** A client that does not trust such a server. */
  static SimTlsClient strangerTo(String protocol) {
    try {
      return client(SSLContext.getDefault(), protocol);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static SimTlsClient client(SSLContext context, String protocol) {
    SSLEngine engine = context.createSSLEngine("localhost", 443);
    SSLParameters wishes = engine.getSSLParameters();
    wishes.setApplicationProtocols(new String[] {"h2", "http/1.1"});
    engine.setSSLParameters(wishes);
    engine.setEnabledProtocols(new String[] {protocol});
    return new SimTlsClient(engine);
  }
}
