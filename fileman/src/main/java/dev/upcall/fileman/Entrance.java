package dev.upcall.fileman;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Gate;
import org.jspecify.annotations.Nullable;

/** The bounded way into the file manager; when full it refuses with {@code Busy}. */
final class Entrance {
  private static final String NAME = "the file manager";
  private static final String REQUEST = "request";

  private final Dispatcher dispatcher;
  private final Gate gate;
  private final int maxRequests;
  private final OperationMeter meter = new OperationMeter();

  Entrance(Dispatcher dispatcher, int maxRequests) {
    this.dispatcher = dispatcher;
    this.gate = new Gate(NAME, dispatcher);
    this.maxRequests = maxRequests;
  }

  /** What counts the requests inside. */
  Gate gate() {
    return gate;
  }

  /** What counts and times them. */
  OperationMeter meter() {
    return meter;
  }

  /**
   * Lets a request in: gives the port that its completion must go to. Otherwise completes the
   * request's port and gives null.
   */
  <T> @Nullable CompletionPort<T> enter(FileOperation operation, CompletionPort<T> port) {
    if (gate.isOpen() && gate.inside() >= maxRequests) {
      meter.refused();
      dispatcher.complete(port, Completion.failed(new Failure.Busy(NAME)));
      return null;
    }
    if (!gate.enter(REQUEST)) {
      dispatcher.complete(port, Completion.failed(gate.closed()));
      return null;
    }
    long beganNanos = dispatcher.upcallNanos();
    return completion -> {
      gate.leave(REQUEST);
      long tookNanos = dispatcher.clock().monotonicNanos() - beganNanos;
      meter.completed(operation, tookNanos, completion instanceof Completion.Done);
      port.complete(completion);
    };
  }

  /** The owner of everything behind. */
  Dispatcher dispatcher() {
    return dispatcher;
  }

  /** Tells a port that what it asked is closed. */
  <T> void refuse(CompletionPort<T> port, String what) {
    dispatcher.complete(port, Completion.failed(new Failure.Closed(what)));
  }
}
