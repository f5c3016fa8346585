package dev.upcall.httpd.tls;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpOfThreads;
import dev.upcall.httpd.ServerKind;
import dev.upcall.httpd.TlsConfig;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same by BoringSSL on Java's own sockets, for clients that end without saying so. */
@ExtendWith(BufferLeakCheck.class)
class HttpOverBoringSslTest extends HttpOfThreads {
  HttpOverBoringSslTest() {
    super(ServerKind.NIO, TestCertificates.shared().server(TlsConfig.Engine.BORINGSSL));
  }
}
