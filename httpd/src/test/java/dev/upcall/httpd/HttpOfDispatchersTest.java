package dev.upcall.httpd;

import dev.upcall.io.volume.NettyReactor;

/** Sessions on dispatchers of their own answer what sessions on the site's do. */
class HttpOfDispatchersTest extends HttpOfThreads {
  HttpOfDispatchersTest() {
    super(NettyReactor.ringUnavailable() == null ? ServerKind.DISPATCHERS : ServerKind.NIO);
  }
}
