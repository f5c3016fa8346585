package dev.upcall.httpd.server;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.Site;
import dev.upcall.io.volume.NettyReactor;

/** Several threads over another transport than the best that this machine has. */
public final class ThreadsOver {
  private ThreadsOver() {}

  public static HttpThreads start(
      NettyReactor.Transport transport,
      Dispatcher home,
      Site site,
      HttpConfig config,
      Endpoint endpoint) {
    return HttpThreads.start(home, site, config, endpoint, () -> NettyReactor.create(transport));
  }
}
