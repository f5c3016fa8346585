package dev.upcall.httpd;

import org.junit.jupiter.api.Nested;

/** Threads answer what machines answer. */
class HttpOfThreadsTest {
  @Nested
  class SessionsOfThreads extends HttpSessionBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.THREADS, config);
    }
  }

  @Nested
  class ReadingOfThreads extends HttpReadingBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.THREADS, config);
    }
  }

  @Nested
  class ListingOfThreads extends HttpListingBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.THREADS, config);
    }
  }

  @Nested
  class UploadOfThreads extends HttpUploadBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.THREADS, config);
    }
  }
}
