package dev.upcall.fileman.blocking;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.nio.collected.Ahead;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls inside a facade: each is a request through the door that its thread waits for. Closing
 * waits until no thread is inside, so that nobody still copies out of frames that go away.
 */
public final class Calls {
  private static final int PLACES = Integer.MAX_VALUE;

  private final Dispatcher dispatcher;
  private final Blocking blocking;
  private final String name;
  private final Gate gate;

  /** What callers do before they look or change anything. */
  private volatile Runnable before = () -> {};

  /** The same, by what a caller's request does first. */
  private volatile Supplier<@Nullable Ahead> ahead = () -> null;

  /**
   * Calls through a door.
   *
   * @param name what is called, for messages
   */
  public Calls(String name, Blocking blocking) {
    this(name, blocking, new Gate());
  }

  private Calls(String name, Blocking blocking, Gate gate) {
    this.name = name;
    this.blocking = blocking;
    this.gate = gate;
    this.dispatcher = blocking.door().dispatcher();
  }

  /** Who is inside; of all that are made of the same calls. */
  private static final class Gate {
    final Semaphore places = new Semaphore(PLACES);
    volatile boolean closing;
  }

  /**
   * Has every caller do something first.
   *
   * @param action does it on the caller's thread
   * @param byRequest gives what the request of a caller does first, or null if nothing is to be
   *     done any more
   */
  public void before(Runnable action, Supplier<@Nullable Ahead> byRequest) {
    before = action;
    ahead = byRequest;
  }

  /** The same calls, into the same facade, for those who do nothing first. */
  public Calls atOnce() {
    return new Calls(name, blocking, gate);
  }

  /** Runs a call that may make several requests and copy in between. */
  public <T> T inside(Supplier<T> call) {
    checkNotOwner();
    before.run();
    return insideAtOnce(call);
  }

  private void checkNotOwner() {
    if (dispatcher.isOwner()) {
      throw new IllegalStateException(
          "a blocking call on the store's own thread would wait for itself; use the FileManager");
    }
  }

  private <T> T insideAtOnce(Supplier<T> call) {
    enter();
    try {
      return call.get();
    } finally {
      leave();
    }
  }

  /**
   * Goes inside for something that ends later, on whatever thread; throws as {@link #inside} where
   * nobody is let in any more. Does not wait.
   */
  void enter() {
    if (gate.closing || !gate.places.tryAcquire()) {
      throw dispatcher.failure().isEmpty()
          ? UpcallException.of(new Failure.Closed(name))
          : DispatcherStoppedException.refused(dispatcher);
    }
  }

  /** What {@link #enter} was for has ended and touches nothing of the store any more. */
  void leave() {
    gate.places.release();
  }

  /** As {@link #inside(Supplier)}, for one request. */
  public <T> T call(Consumer<? super CompletionPort<T>> request) {
    checkNotOwner();
    Ahead first = ahead.get();
    if (first == null) {
      return insideAtOnce(() -> await(request));
    }
    try {
      return insideAtOnce(() -> await(port -> first.commit(() -> request.accept(port))));
    } finally {
      first.ended();
    }
  }

  /** Whether a caller may look at what is published; it has done then what comes before. */
  boolean maySee() {
    if (gate.closing || dispatcher.isOwner()) {
      return false;
    }
    before.run();
    return true;
  }

  /** Whether a caller may copy content that it holds open. */
  boolean mayCopy() {
    return !gate.closing
        && !dispatcher.isOwner()
        && !dispatcher.hasEnded()
        && dispatcher.failure().isEmpty();
  }

  /** Throws, for a caller that needs nothing from inside, what it would hear there. */
  void checkOpen() {
    if (!mayCopy()) {
      inside(() -> Unit.UNIT);
      throw DispatcherStoppedException.refused(dispatcher);
    }
  }

  /** One request of a call that is inside. */
  <T> T await(Consumer<? super CompletionPort<T>> request) {
    return UpcallException.value(completion(request));
  }

  /** As {@link #await}, failures too. */
  <T> Completion<T> completion(Consumer<? super CompletionPort<T>> request) {
    return blocking.await(request);
  }

  /** The owner of everything behind. */
  Dispatcher dispatcher() {
    return dispatcher;
  }

  /**
   * Lets no call in any more and waits until the last one is out; false if that was done before.
   *
   * @param stopWaiting has those answered who wait inside for what others may keep for long
   */
  public boolean close(Runnable stopWaiting) {
    synchronized (gate) {
      if (gate.closing) {
        return false;
      }
      gate.closing = true;
    }
    stopWaiting.run();
    gate.places.acquireUninterruptibly(PLACES);
    return true;
  }

  /** What is called, for messages. */
  public String name() {
    return name;
  }

  boolean isClosing() {
    return gate.closing;
  }

  /** A path, or its failure thrown. */
  public static StorePath path(CharSequence text) {
    return path("path", text);
  }

  /** As {@link #path(CharSequence)} for an argument with another name. */
  public static StorePath path(String argument, CharSequence text) {
    return UpcallException.value(StorePath.parse(Objects.requireNonNull(text, argument)));
  }
}
