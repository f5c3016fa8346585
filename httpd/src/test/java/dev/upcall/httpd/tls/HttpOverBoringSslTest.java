package dev.upcall.httpd.tls;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpOfThreads;
import dev.upcall.httpd.ServerKind;
import dev.upcall.httpd.TlsConfig;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same by BoringSSL over epoll, for clients that end without saying so. */
@ExtendWith(BufferLeakCheck.class)
class HttpOverBoringSslTest extends HttpOfThreads {
  HttpOverBoringSslTest() {
    super(
        ServerKind.EPOLL.isHere() ? ServerKind.EPOLL : ServerKind.NIO,
        TestTls.server(TlsConfig.Engine.BORINGSSL));
  }
}
