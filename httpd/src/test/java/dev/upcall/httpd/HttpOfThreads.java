package dev.upcall.httpd;

import dev.upcall.httpd.session.HttpSessionBehaviour;
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
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }

  @Nested
  class ReadingOfThreads extends HttpReadingBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }

  @Nested
  class ListingOfThreads extends HttpListingBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }

  @Nested
  class UploadOfThreads extends HttpUploadBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }

  @Nested
  class PatchOfThreads extends HttpPatchBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config);
    }
  }
}
