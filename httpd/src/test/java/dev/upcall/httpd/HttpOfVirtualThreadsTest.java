package dev.upcall.httpd;

import org.junit.jupiter.api.Nested;

/** Virtual threads answer what machines answer. */
class HttpOfVirtualThreadsTest {
  @Nested
  class SessionsOfVirtualThreads extends HttpSessionBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.VIRTUAL, config);
    }
  }

  @Nested
  class ReadingOfVirtualThreads extends HttpReadingBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.VIRTUAL, config);
    }
  }

  @Nested
  class ListingOfVirtualThreads extends HttpListingBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.VIRTUAL, config);
    }
  }

  @Nested
  class UploadOfVirtualThreads extends HttpUploadBehaviour {
    @Override
    HttpWorld newWorld(HttpConfig config) {
      return new LiveServer(ServerKind.VIRTUAL, config);
    }
  }
}
