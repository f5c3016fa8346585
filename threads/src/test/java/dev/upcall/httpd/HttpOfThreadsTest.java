package dev.upcall.httpd;

/** Platform threads answer what machines answer. */
class HttpOfThreadsTest extends HttpOfThreads {
  HttpOfThreadsTest() {
    super(ServerKind.THREADS);
  }
}
