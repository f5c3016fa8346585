package dev.upcall.httpd;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.SystemClock;
import dev.upcall.fsm.Unit;
import dev.upcall.io.NettyReactor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A server on a real socket over files in memory, on a dispatcher thread of its own. */
final class LiveServer implements AutoCloseable {
  private static final int WAIT_SECONDS = 20;

  final MemorySite site;
  private final NettyReactor reactor;
  private final Dispatcher dispatcher;
  private final Thread thread;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final HttpServer server;

  LiveServer(NettyReactor.Transport transport, HttpConfig config) {
    reactor = NettyReactor.create(transport);
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
    server =
        this.<HttpServer>request(
            port -> HttpServer.open(config, dispatcher, reactor, site, address, port));
  }

  /** Makes a request on the dispatcher's thread and waits for its completion. */
  <T> T request(Consumer<CompletionPort<T>> request) {
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
  <T> T call(Supplier<T> work) {
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

  HttpMetrics metrics() {
    return call(server::metrics);
  }

  /** Waits until the counts are as wished. */
  void await(java.util.function.Predicate<HttpMetrics> wish) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (!wish.test(metrics())) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time: " + metrics());
      }
      Thread.onSpinWait();
    }
  }

  int port() {
    return call(server::address).getPort();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(WAIT_SECONDS * 1000);
    return socket;
  }

  /** Sends bytes over a connection of their own, ends, and gives back all that comes. */
  byte[] exchange(String latin1) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(latin1.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      socket.getInputStream().transferTo(all);
      return all.toByteArray();
    }
  }

  @Override
  public void close() {
    this.<Unit>request(server::close);
    call(
        () -> {
          site.checkNothingHeld();
          return true;
        });
    dispatcher.stop();
    get(ended);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
