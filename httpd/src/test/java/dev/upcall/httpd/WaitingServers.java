package dev.upcall.httpd;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import java.net.InetSocketAddress;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Starts servers of threads that wait, for suites over all servers: another module has them. */
public interface WaitingServers {
  /** The servers of that module. */
  static WaitingServers here() {
    return ServiceLoader.load(WaitingServers.class).findFirst().orElseThrow();
  }

  /** A server of a site that lives on one thread, on which {@code enter} runs things. */
  Serving start(
      Engine engine,
      Site site,
      Consumer<Runnable> enter,
      HttpConfig config,
      InetSocketAddress address);

  /** A server of a store of such an engine. */
  Serving start(Upcall store, HttpConfig config, InetSocketAddress address);

  /** A server, whatever it is. */
  record Serving(Supplier<InetSocketAddress> where, Supplier<HttpMetrics> counts, Runnable end)
      implements AutoCloseable {
    /** Where it listens. */
    public InetSocketAddress address() {
      return where.get();
    }

    /** Its count. */
    public HttpMetrics metrics() {
      return counts.get();
    }

    @Override
    public void close() {
      end.run();
    }
  }
}
