package dev.upcall.httpd;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.httpd.blocking.BlockingServer;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** The servers of this module, for suites over all servers. */
public final class ServersOfThreads implements WaitingServers {
  @Override
  public Serving start(
      Engine engine,
      Site site,
      Consumer<Runnable> enter,
      HttpConfig config,
      InetSocketAddress address) {
    return serving(BlockingServer.start(new SiteOfThreads(site, enter), config, engine, address));
  }

  @Override
  public Serving start(Upcall store, HttpConfig config, InetSocketAddress address) {
    return serving(BlockingServer.start(store, config, address));
  }

  private static Serving serving(BlockingServer server) {
    return new Serving(server::address, server::metrics, server::close);
  }
}
