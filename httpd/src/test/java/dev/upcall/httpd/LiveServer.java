package dev.upcall.httpd;

import dev.upcall.Engine;
import dev.upcall.base.SystemClock;
import dev.upcall.base.TestCertificates;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.server.Endpoint;
import dev.upcall.httpd.server.HttpServer;
import dev.upcall.httpd.server.HttpThreads;
import dev.upcall.httpd.server.ServerTls;
import dev.upcall.httpd.server.ThreadsOver;
import dev.upcall.io.volume.NettyReactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server of any kind on a real socket over files in memory, which live on a dispatcher thread of
 * their own.
 */
public final class LiveServer implements HttpWorld {
  private static final int WAIT_SECONDS = 120;

  public final MemorySite site;
  public final NettyReactor reactor;
  public final Dispatcher dispatcher;
  private final Thread thread;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final WaitingServers.Serving served;
  private final int knownPort;
  private final @Nullable ServerTls tls;

  /** Whether clients end as many do, by the end of the connection below. */
  private final boolean endsWithoutSayingSo;

  private boolean serverClosed;

  public LiveServer(ServerKind kind, HttpConfig config) {
    this(kind, config, null);
  }

  /**
   * The same.
   *
   * @param tlsConfig what clients must talk to, or null for plain HTTP
   */
  public LiveServer(ServerKind kind, HttpConfig config, @Nullable TlsConfig tlsConfig) {
    tls = tlsConfig == null ? null : ServerTls.load(tlsConfig);
    endsWithoutSayingSo = tlsConfig != null && tlsConfig.engine() == TlsConfig.Engine.BORINGSSL;
    reactor = NettyReactor.create(kind.transport);
    dispatcher = new Dispatcher(new SystemClock(), reactor);
    site = new MemorySite(dispatcher::post);
    thread =
        Thread.ofPlatform()
            .name("dispatcher")
            .start(
                () -> {
                  try {
                    dispatcher.run();
                    dispatcher.close();
                    ended.complete(null);
                  } catch (Throwable error) {
                    ended.completeExceptionally(error);
                  }
                });
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    served =
        kind.several
            ? dispatchers(config.withThreads(2), address)
            : kind.engine() == Engine.FSM
                ? machines(config, address)
                : WaitingServers.here()
                    .start(kind.engine(), site, dispatcher::execute, config, address);
    knownPort = port();
  }

  private WaitingServers.Serving machines(HttpConfig config, InetSocketAddress address) {
    HttpServer server =
        this.<HttpServer>request(
            port ->
                HttpServer.open(
                    config,
                    dispatcher,
                    reactor,
                    site,
                    new Endpoint(address, Optional.ofNullable(tls)),
                    port));
    return new WaitingServers.Serving(
        () -> call(server::address),
        () -> call(server::metrics),
        () -> this.<Unit>request(server::close));
  }

  private WaitingServers.Serving dispatchers(HttpConfig config, InetSocketAddress address) {
    HttpThreads several =
        ThreadsOver.start(
            reactor.transport(),
            dispatcher,
            site,
            config,
            new Endpoint(address, Optional.ofNullable(tls)));
    return new WaitingServers.Serving(
        several::address, () -> this.<HttpMetrics>request(several::metrics), several::close);
  }

  /** Makes a request on the dispatcher's thread and waits for its completion. */
  public <T> T request(Consumer<CompletionPort<T>> request) {
    CompletableFuture<T> result = new CompletableFuture<>();
    dispatcher.execute(
        () ->
            request.accept(
                completion -> {
                  switch (completion) {
                    case Completion.Done<T> done -> result.complete(done.value());
                    case Completion.Failed<T> failed ->
                        result.completeExceptionally(
                            new AssertionError(failed.failure().message()));
                  }
                }));
    return get(result);
  }

  /** Runs something on the dispatcher's thread. */
  public <T> T call(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    dispatcher.execute(() -> result.complete(work.get()));
    return get(result);
  }

  private <T> T get(CompletableFuture<T> result) {
    try {
      CompletableFuture.anyOf(result, ended).get(WAIT_SECONDS, TimeUnit.SECONDS);
      return result.getNow(null);
    } catch (TimeoutException e) {
      AssertionError late = new AssertionError("not in time; the dispatcher is here:");
      late.setStackTrace(thread.getStackTrace());
      throw late;
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public HttpMetrics metrics() {
    return served.metrics();
  }

  @Override
  public MemorySite site() {
    return site;
  }

  @Override
  public void slowSite(int nanos) {
    // what is asked takes real time here
  }

  @Override
  public List<Responses.Response> exchange(String requests, int largestFragment) {
    try {
      byte[] got = send(requests.getBytes(StandardCharsets.ISO_8859_1), largestFragment);
      return Responses.parse(got, n -> requests.startsWith("HEAD"), true);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Waits until the counts are as wished. */
  public void await(java.util.function.Predicate<HttpMetrics> wish) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!wish.test(metrics())) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time: " + metrics());
      }
      Thread.onSpinWait();
    }
  }

  /** Whether the close has begun: nobody is let in any more. */
  boolean isClosing() {
    try (Socket knock = new Socket(InetAddress.getLoopbackAddress(), knownPort)) {
      return !knock.isConnected();
    } catch (IOException refused) {
      return true;
    }
  }

  public int port() {
    return served.address().getPort();
  }

  /** A connection, with the server's TLS if it has that. */
  public Socket connect() throws IOException {
    return over(connectPlain());
  }

  private Socket over(Socket plain) throws IOException {
    return tls == null
        ? plain
        : TestCertificates.shared()
            .client()
            .getSocketFactory()
            .createSocket(plain, "localhost", port(), /* autoClose= */ true);
  }

  /** A connection without TLS. */
  public Socket connectPlain() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(WAIT_SECONDS * 1000);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** The TLS that clients must speak. */
  public ServerTls tls() {
    return tls;
  }

  /** Sends bytes over a connection of their own, ends, and gives back all that comes. */
  public byte[] raw(String latin1) throws IOException {
    return send(latin1.getBytes(StandardCharsets.ISO_8859_1), Integer.MAX_VALUE);
  }

  private byte[] send(byte[] bytes, int largestFragment) throws IOException {
    try (Socket below = connectPlain();
        Socket socket = over(below)) {
      for (int at = 0; at < bytes.length; ) {
        int size = Math.min(largestFragment, bytes.length - at);
        socket.getOutputStream().write(bytes, at, size);
        at += size;
      }
      (endsWithoutSayingSo ? below : socket).shutdownOutput();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(all);
      return all.toByteArray();
    }
  }

  /** Closes the server and leaves its counts to be looked at; once. */
  public void closeServer() {
    if (!serverClosed) {
      serverClosed = true;
      served.close();
    }
  }

  @Override
  public void close() {
    closeServer();
    call(
        () -> {
          site.checkNothingHeld();
          return true;
        });
    if (tls != null) {
      tls.close();
    }
    dispatcher.stop();
    get(ended);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
