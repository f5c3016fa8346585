package dev.upcall.httpd.resumable;

import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.LiveServer;
import dev.upcall.httpd.ServerKind;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.TlsConfig;
import dev.upcall.httpd.tls.TestCertificates;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Resumable uploads over each kind of connection. */
class HttpResumableTest {
  private static ServerKind sockets() {
    return ServerKind.RING.isHere() ? ServerKind.RING : ServerKind.EPOLL;
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class OfSessions extends HttpResumableBehaviour<SessionWorld> {
    @Override
    public SessionWorld newWorld(HttpConfig config) {
      return new SessionWorld(1, config);
    }
  }

  @Nested
  class OfSockets extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(sockets(), config);
    }
  }

  @Nested
  class OfDispatchers extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      boolean ring = ServerKind.DISPATCHERS.isHere();
      return new LiveServer(ring ? ServerKind.DISPATCHERS : ServerKind.EPOLL_DISPATCHERS, config);
    }
  }

  @Nested
  class OverTls extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(
          sockets(), config, TestCertificates.shared().server(TlsConfig.Engine.JDK));
    }
  }

  @Nested
  class OverBoringSslAndASelector extends HttpResumableBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(
          ServerKind.NIO, config, TestCertificates.shared().server(TlsConfig.Engine.BORINGSSL));
    }
  }
}
