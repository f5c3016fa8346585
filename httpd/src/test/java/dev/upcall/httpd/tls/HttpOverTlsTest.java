package dev.upcall.httpd.tls;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpOfThreads;
import dev.upcall.httpd.ServerKind;
import dev.upcall.httpd.TlsConfig;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients get over TLS what they get without, by the JDK's engine on the best sockets there are.
 */
@ExtendWith(BufferLeakCheck.class)
class HttpOverTlsTest extends HttpOfThreads {
  HttpOverTlsTest() {
    super(
        ServerKind.RING.isHere() ? ServerKind.RING : ServerKind.EPOLL,
        TestTls.server(TlsConfig.Engine.JDK));
  }
}
