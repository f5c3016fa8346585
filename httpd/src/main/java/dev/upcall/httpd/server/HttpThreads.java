package dev.upcall.httpd.server;

import dev.upcall.UpcallException;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Site;
import dev.upcall.io.volume.NettyReactor;
import dev.upcall.io.volume.NettyReactor.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves a site with several dispatchers on one address (composition 2: each has a thread, a loop,
 * a listening socket and sessions of its own, and its part of the limits). The kernel gives each
 * connection to one of them, where it stays. What sessions ask of the site goes to its dispatcher
 * as requests, and completions come back.
 *
 * <p>Methods are called by threads that may wait, unless they say otherwise. Close it before the
 * site.
 */
public final class HttpThreads implements AutoCloseable {
  private final Dispatcher home;
  private final Supplier<NettyReactor> reactors;
  private final List<HttpThread> threads = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  private HttpThreads(Dispatcher home, Supplier<NettyReactor> reactors) {
    this.home = home;
    this.reactors = reactors;
  }

  /** Why this process cannot serve so, if it cannot. */
  public static Optional<String> unavailable() {
    String noRing = NettyReactor.unavailable(Transport.IO_URING);
    String noEpoll = NettyReactor.unavailable(Transport.EPOLL);
    return noRing == null || noEpoll == null
        ? Optional.empty()
        : Optional.of(
            "several threads on one address need io_uring (%s) or epoll (%s), and this process can use neither"
                .formatted(noRing, noEpoll));
  }

  /**
   * Starts as many as the limits say.
   *
   * @param home the dispatcher of the site
   * @param address where to listen; port 0 takes any free one
   * @throws UpcallException {@code Device} with the operating system's reason if that is
   *     impossible, {@code Invalid} if the site cannot be changed and should, or without io_uring
   *     and epoll
   */
  public static HttpThreads start(
      Dispatcher home, Site site, HttpConfig config, InetSocketAddress address) {
    return start(home, site, config, Endpoint.of(address));
  }

  /** The same, as an endpoint says. */
  public static HttpThreads start(
      Dispatcher home, Site site, HttpConfig config, Endpoint endpoint) {
    Objects.requireNonNull(home, "home");
    Objects.requireNonNull(site, "site");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(endpoint, "endpoint");
    Invariants.check(!home.isOwner(), "a dispatcher's thread waits for itself");
    unavailable()
        .ifPresent(
            reason -> {
              throw UpcallException.of(
                  new Failure.Invalid(reason + "; with connections.threads 1 it serves without"));
            });
    return start(home, site, config, endpoint, NettyReactor::create);
  }

  /**
   * The same.
   *
   * @param reactors gives what each thread turns around
   */
  static HttpThreads start(
      Dispatcher home,
      Site site,
      HttpConfig config,
      Endpoint endpoint,
      Supplier<NettyReactor> reactors) {
    HttpThreads all = new HttpThreads(home, reactors);
    try {
      all.open(site, config, endpoint);
    } catch (RuntimeException refused) {
      all.closeAfter(refused);
      throw refused;
    }
    return all;
  }

  private void open(Site site, HttpConfig config, Endpoint endpoint) {
    HttpConfig limits = config.ofOneThread();
    HttpThread first = next(site);
    // Bound alone, so that no other process of this user shares the address by mistake.
    Optional<String> refusal = first.openFirst(limits, endpoint);
    if (refusal.isPresent()) {
      throw UpcallException.of(new Failure.Device("sharing " + endpoint.address(), refusal.get()));
    }
    int port = first.address().getPort();
    Endpoint found = endpoint.at(new InetSocketAddress(endpoint.address().getAddress(), port));
    for (int i = 1; i < config.connections().threads(); i++) {
      next(site).openNext(limits, found);
    }
  }

  private HttpThread next(Site site) {
    HttpThread thread = new HttpThread(threads.size() + 1, home, site, reactors);
    threads.add(thread);
    return thread;
  }

  /** Where they listen, with the port that they got. */
  public InetSocketAddress address() {
    return threads.getFirst().address();
  }

  /** Counts of all as they are now, those of closed ones as they were; on the home's thread. */
  public void metrics(CompletionPort<HttpMetrics> port) {
    Objects.requireNonNull(port, "port");
    home.checkOwner();
    new Sum(port).ask();
  }

  /** Adds counts up; the home's. */
  private final class Sum {
    private final CompletionPort<HttpMetrics> port;
    private @Nullable HttpMetrics sum;
    private int missing = threads.size();

    Sum(CompletionPort<HttpMetrics> port) {
      this.port = port;
    }

    void ask() {
      threads.forEach(thread -> thread.metrics(this::add));
    }

    private void add(HttpMetrics part) {
      HttpMetrics all = sum == null ? part : sum.plus(part);
      sum = all;
      missing--;
      if (missing == 0) {
        HttpMetrics counts = all.with(HttpCount.THREADS, threads.size());
        home.complete(port, Completion.done(counts));
      }
    }
  }

  /**
   * See {@link HttpServer#close}, of all at once; returns when no connection and no thread is left
   * and what sessions held of the site was given back. A second call waits for nothing.
   */
  @Override
  public void close() {
    Invariants.check(!home.isOwner(), "a dispatcher's thread waits for itself");
    if (!closed.getAndSet(true)) {
      RuntimeException failed = end();
      if (failed != null) {
        throw failed;
      }
    }
  }

  private void closeAfter(RuntimeException refused) {
    closed.set(true);
    RuntimeException failed = end();
    if (failed != null) {
      refused.addSuppressed(failed);
    }
  }

  /** Ends all, whatever happens to one of them; what happened first. */
  private @Nullable RuntimeException end() {
    threads.forEach(HttpThread::beginClose);
    RuntimeException first = null;
    for (HttpThread thread : threads) {
      try {
        thread.close();
      } catch (RuntimeException failed) {
        if (first == null) {
          first = failed;
        } else {
          first.addSuppressed(failed);
        }
      }
    }
    return first;
  }
}
