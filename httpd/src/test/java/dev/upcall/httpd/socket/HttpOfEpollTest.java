package dev.upcall.httpd.socket;

import dev.upcall.httpd.HttpOfThreads;
import dev.upcall.httpd.ServerKind;

/** Sockets through epoll answer what others do. */
class HttpOfEpollTest extends HttpOfThreads {
  HttpOfEpollTest() {
    super(ServerKind.EPOLL.isHere() ? ServerKind.EPOLL : ServerKind.NIO);
  }
}
