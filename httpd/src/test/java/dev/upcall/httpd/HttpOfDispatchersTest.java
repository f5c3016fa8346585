package dev.upcall.httpd;

/** Sessions on dispatchers of their own answer what sessions on the site's do. */
class HttpOfDispatchersTest extends HttpOfThreads {
  HttpOfDispatchersTest() {
    super(ServerKind.DISPATCHERS.isHere() ? ServerKind.DISPATCHERS : ServerKind.EPOLL_DISPATCHERS);
  }
}
