package dev.upcall.httpd;

/** Sockets through the ring of the disk answer what others do. */
class HttpOfRingTest extends HttpOfThreads {
  HttpOfRingTest() {
    super(ServerKind.RING.isHere() ? ServerKind.RING : ServerKind.EPOLL);
  }
}
