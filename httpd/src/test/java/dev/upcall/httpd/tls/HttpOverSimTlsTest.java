package dev.upcall.httpd.tls;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpSuites;
import dev.upcall.httpd.HttpWorld;
import dev.upcall.httpd.SessionWorld;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same over TLS on simulated connections. */
@ExtendWith(BufferLeakCheck.class)
class HttpOverSimTlsTest extends HttpSuites {
  @Override
  protected HttpWorld world(HttpConfig config) {
    SessionWorld world = new SessionWorld(1, config);
    SimTls.under(world, config, new SplittableRandom(1));
    world.talks = () -> SimTls.client("TLSv1.3");
    return world;
  }

  @Override
  protected boolean talksTls() {
    return true;
  }
}
