package dev.upcall.httpd;

/** Virtual threads answer what machines answer. */
class HttpOfVirtualThreadsTest extends HttpOfThreads {
  HttpOfVirtualThreadsTest() {
    super(ServerKind.VIRTUAL);
  }
}
