package dev.upcall.httpd;

import org.jspecify.annotations.Nullable;

/** Servers on sockets answer what sessions over simulated connections do. */
public abstract class HttpOfThreads extends HttpSuites {
  private final ServerKind kind;
  private final @Nullable TlsConfig tls;

  protected HttpOfThreads(ServerKind kind) {
    this(kind, null);
  }

  protected HttpOfThreads(ServerKind kind, @Nullable TlsConfig tls) {
    this.kind = kind;
    this.tls = tls;
  }

  @Override
  protected HttpWorld world(HttpConfig config) {
    return new LiveServer(kind, config, tls);
  }

  @Override
  protected boolean talksTls() {
    return tls != null;
  }
}
