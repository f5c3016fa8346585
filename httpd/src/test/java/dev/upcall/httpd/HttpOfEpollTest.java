package dev.upcall.httpd;

/** Sockets through epoll answer what others do. */
class HttpOfEpollTest extends HttpOfThreads {
  HttpOfEpollTest() {
    super(ServerKind.EPOLL.isHere() ? ServerKind.EPOLL : ServerKind.NIO);
  }
}
