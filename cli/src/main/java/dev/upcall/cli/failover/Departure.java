package dev.upcall.cli.failover;

import dev.upcall.FsmUpcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.httpd.server.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * How a server leaves its address and its store to a standby so that no request fails. The order is
 * all: connections end while there is still somebody to take new ones; the checkpoint is written
 * while requests are still answered; then new connections go to the standby, where they wait; what
 * had come here before is accepted and answered here; and only then the server ends and the store
 * closes. Up to there it can take everything back.
 *
 * <p>The thread of the command that asks.
 */
public final class Departure {
  /** Handshakes that were begun here must end here: a way around half the globe and back. */
  private static final Duration HANDSHAKES = Duration.ofMillis(200);

  /** Connections that wait here are accepted at once, unless the server has all it may have. */
  private static final Duration ACCEPTING = Duration.ofSeconds(5);

  /** Who has just connected sends its first request; so long is waited for it. */
  private static final Duration FIRST_REQUEST = Duration.ofMillis(500);

  private static final long LOOK_MILLIS = 2;

  private final FsmUpcall store;
  private final HttpServer server;
  private final Duration drain;
  private final Runnable end;

  /** Taken by a handover, and given back by one that failed. */
  private final Semaphore turn = new Semaphore(1);

  /**
   * Of a server.
   *
   * @param drain what requests under way may still take
   * @param end lets the server end in good order, and the store close behind it; returns at once
   */
  public Departure(FsmUpcall store, HttpServer server, Duration drain, Runnable end) {
    this.store = store;
    this.server = server;
    this.drain = drain;
    this.end = end;
  }

  /**
   * Does it; returns when the server is told to end. Whatever fails before leaves it serving.
   *
   * @param grace how long connections that are there may last until a request comes whose response
   *     can say that it is the last
   * @param say for messages
   * @return what each step took, in nanoseconds, in order
   * @throws IOException when the standby goes
   */
  Map<String, Long> leaveTo(Successor successor, Duration grace, Consumer<String> say)
      throws InterruptedException, IOException {
    if (!turn.tryAcquire()) {
      throw CommandFailure.failed("another handover is under way");
    }
    boolean left = false;
    try {
      share();
      demand(successor, Successor.PREPARE + name(address()));
      Map<String, Long> steps = leave(successor, grace, say);
      left = true;
      return steps;
    } finally {
      if (!left) {
        turn.release();
      }
    }
  }

  private Map<String, Long> leave(Successor successor, Duration grace, Consumer<String> say)
      throws InterruptedException, IOException {
    Map<String, Long> steps = new LinkedHashMap<>();
    boolean left = false;
    onDispatcher(server::makeResponsesLast);
    try {
      long from = System.nanoTime();
      if (!isNone(server::leaving, grace, successor)) {
        say.accept(
            "%d connections are not done after %d s: idle ones will be closed, what is under way"
                    .formatted(count(server::leaving), grace.toSeconds())
                + " is waited for");
      }
      from = took(steps, "connections", from);
      store.checkpoint();
      from = took(steps, "checkpoint", from);
      demand(successor, Successor.LISTEN);
      TimeUnit.NANOSECONDS.sleep(HANDSHAKES.toNanos());
      if (!isNone(() -> server.listening().waiting(), ACCEPTING, successor)) {
        throw CommandFailure.failed("more clients wait than the server accepts");
      }
      from = took(steps, "connectionsPassed", from);
      isNone(server::unasked, FIRST_REQUEST, successor);
      if (!isNone(server::asked, drain, successor)) {
        say.accept("%d requests will be cut off".formatted(count(server::asked)));
      }
      took(steps, "lastRequests", from);
      demand(successor, Successor.TAKE);
      end.run();
      left = true;
      return steps;
    } finally {
      if (!left) {
        onDispatcher(
            () -> {
              server.keepConnections();
              server.listening().takeBack();
            });
        successor.tell(Successor.STOP);
      }
    }
  }

  private static long took(Map<String, Long> steps, String step, long fromNanos) {
    long now = System.nanoTime();
    steps.put(step, now - fromNanos);
    return now;
  }

  private void share() {
    Optional<String> refusal =
        UpcallException.value(
            store.<Optional<String>>await(port -> complete(port, server.listening().share())));
    if (refusal.isPresent()) {
      throw CommandFailure.failed("the server cannot share its address: " + refusal.get());
    }
  }

  private static void demand(Successor successor, String what)
      throws InterruptedException, IOException {
    String answer = successor.ask(what);
    if (!answer.equals(Successor.YES)) {
      throw CommandFailure.failed("the standby refuses: " + answer);
    }
  }

  /** An address as both sides write it. */
  static String name(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + " " + address.getPort();
  }

  private InetSocketAddress address() {
    return UpcallException.value(
        store.<InetSocketAddress>await(port -> complete(port, server.address())));
  }

  private int count(IntSupplier what) {
    return UpcallException.value(store.<Integer>await(port -> complete(port, what.getAsInt())));
  }

  private void onDispatcher(Runnable action) {
    UpcallException.value(
        store.<Unit>await(
            port -> {
              action.run();
              complete(port, Unit.UNIT);
            }));
  }

  private <T> void complete(CompletionPort<T> port, T value) {
    store.fileManager().dispatcher().complete(port, Completion.done(value));
  }

  /**
   * Waits until there is none of something, at most for a time; whether it is so far. Looks twice,
   * because what the kernel has given out at the first look may not have reached the server.
   */
  private boolean isNone(IntSupplier what, Duration patience, Successor successor)
      throws InterruptedException, IOException {
    long from = System.nanoTime();
    for (int looks = 0; looks < 2; looks = count(what) == 0 ? looks + 1 : 0) {
      if (System.nanoTime() - from > patience.toNanos()) {
        return false;
      }
      successor.checkThere();
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return true;
  }
}
