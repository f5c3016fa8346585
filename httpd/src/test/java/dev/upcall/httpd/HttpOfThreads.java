package dev.upcall.httpd;

import org.junit.jupiter.api.Nested;

/** Threads answer what machines answer. */
abstract class HttpOfThreads {
  private final ServerKind kind;

  HttpOfThreads(ServerKind kind) {
    this.kind = kind;
  }

  @Nested
  class SessionsOfThreads extends HttpSessionBehaviour<LiveServer> {
    @Override
    LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }

  @Nested
  class ReadingOfThreads extends HttpReadingBehaviour<LiveServer> {
    @Override
    LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }

  @Nested
  class ListingOfThreads extends HttpListingBehaviour<LiveServer> {
    @Override
    LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }

  @Nested
  class UploadOfThreads extends HttpUploadBehaviour<LiveServer> {
    @Override
    LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }
}
