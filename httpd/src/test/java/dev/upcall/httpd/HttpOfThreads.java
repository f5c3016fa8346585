package dev.upcall.httpd;

import dev.upcall.httpd.session.HttpSessionBehaviour;
import dev.upcall.httpd.web.HttpWebBehaviour;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** Threads answer what machines answer. */
public abstract class HttpOfThreads {
  private final ServerKind kind;
  private final @Nullable TlsConfig tls;

  protected HttpOfThreads(ServerKind kind) {
    this(kind, null);
  }

  protected HttpOfThreads(ServerKind kind, @Nullable TlsConfig tls) {
    this.kind = kind;
    this.tls = tls;
  }

  @Nested
  class SessionsOfThreads extends HttpSessionBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config, tls);
    }
  }

  @Nested
  class ReadingOfThreads extends HttpReadingBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config, tls);
    }
  }

  @Nested
  class ListingOfThreads extends HttpListingBehaviour<LiveServer> {
    /** Each page takes a handshake over TLS. */
    @Override
    int[] pageSizes() {
      return tls == null ? super.pageSizes() : new int[] {7, 64, 150};
    }

    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config, tls);
    }
  }

  @Nested
  class UploadOfThreads extends HttpUploadBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config, tls);
    }
  }

  @Nested
  class WebOfThreads extends HttpWebBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config, tls);
    }
  }

  @Nested
  class PatchOfThreads extends HttpPatchBehaviour<LiveServer> {
    @Override
    public LiveServer newWorld(HttpConfig config) {
      return new LiveServer(kind, config, tls);
    }
  }
}
