package dev.upcall.httpd;

/** Sockets through the selector of Java answer what others do. */
class HttpOfNioTest extends HttpOfThreads {
  HttpOfNioTest() {
    super(ServerKind.NIO);
  }
}
