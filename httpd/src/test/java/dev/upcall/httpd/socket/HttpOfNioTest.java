package dev.upcall.httpd.socket;

import dev.upcall.httpd.HttpOfThreads;
import dev.upcall.httpd.ServerKind;

/** Sockets through the selector of Java answer what others do. */
class HttpOfNioTest extends HttpOfThreads {
  HttpOfNioTest() {
    super(ServerKind.NIO);
  }
}
