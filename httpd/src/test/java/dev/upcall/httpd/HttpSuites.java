package dev.upcall.httpd;

import dev.upcall.httpd.session.HttpSessionBehaviour;
import dev.upcall.httpd.web.HttpWebBehaviour;
import org.junit.jupiter.api.Nested;

/** The answers that are alike of all servers, over all connections. */
public abstract class HttpSuites {
  /** A server with such limits and nothing on its site. */
  protected abstract HttpWorld world(HttpConfig config);

  /** Whether each exchange takes a handshake. */
  protected abstract boolean talksTls();

  @Nested
  class SessionsSuite extends HttpSessionBehaviour<HttpWorld> {
    @Override
    public HttpWorld newWorld(HttpConfig config) {
      return world(config);
    }
  }

  @Nested
  class ReadingSuite extends HttpReadingBehaviour<HttpWorld> {
    @Override
    public HttpWorld newWorld(HttpConfig config) {
      return world(config);
    }
  }

  @Nested
  class ListingSuite extends HttpListingBehaviour<HttpWorld> {
    /** Each page takes a handshake over TLS. */
    @Override
    int[] pageSizes() {
      return talksTls() ? new int[] {7, 64, 150} : super.pageSizes();
    }

    @Override
    public HttpWorld newWorld(HttpConfig config) {
      return world(config);
    }
  }

  @Nested
  class UploadSuite extends HttpUploadBehaviour<HttpWorld> {
    @Override
    public HttpWorld newWorld(HttpConfig config) {
      return world(config);
    }
  }

  @Nested
  class WebSuite extends HttpWebBehaviour<HttpWorld> {
    @Override
    public HttpWorld newWorld(HttpConfig config) {
      return world(config);
    }
  }

  @Nested
  class PatchSuite extends HttpPatchBehaviour<HttpWorld> {
    @Override
    public HttpWorld newWorld(HttpConfig config) {
      return world(config);
    }
  }
}
