package dev.upcall.httpd.socket;

import dev.upcall.httpd.HttpOfThreads;
import dev.upcall.httpd.ServerKind;

/** Sockets through the ring of the disk answer what others do. */
class HttpOfRingTest extends HttpOfThreads {
  HttpOfRingTest() {
    super(ServerKind.RING.isHere() ? ServerKind.RING : ServerKind.EPOLL);
  }
}
