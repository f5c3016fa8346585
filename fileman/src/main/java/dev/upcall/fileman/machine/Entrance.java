package dev.upcall.fileman.machine;

import dev.upcall.FileOperation;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.reading.LargeWork;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherFailure;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.Gate;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.door.EndWatch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bounded way into the file manager; when full it refuses with {@code Busy}. */
final class Entrance {
  private static final String NAME = "the file manager";

  private final Dispatcher dispatcher;
  private final Gate gate;
  private final int maxRequests;
  private final OperationMeter meter = new OperationMeter();
  private final FlightRecorder recorder;
  private final int verbs;
  private final int origin;
  private final Inputs inputs;
  private final LargeWork largeWork;
  private final RequestsInside begun = new RequestsInside();
  private final EndWatch threadEnds;

  Entrance(Dispatcher dispatcher, int maxRequests) {
    this.dispatcher = dispatcher;
    this.gate = new Gate(NAME, dispatcher);
    this.maxRequests = maxRequests;
    this.recorder = dispatcher.recorder();
    this.verbs = recorder.names(FileOperation.class);
    this.origin = recorder.name("api");
    this.inputs = new Inputs(recorder);
    this.largeWork = new LargeWork(dispatcher);
    this.threadEnds = new EndWatch(dispatcher, this::threadEnded);
  }

  /** What counts the requests inside. */
  Gate gate() {
    return gate;
  }

  /** What writes down what is asked. */
  Inputs inputs() {
    return inputs;
  }

  /** What makes arrays and texts of large files. */
  LargeWork largeWork() {
    return largeWork;
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
    Objects.requireNonNull(port, "port");
    if (dispatcher.hasEnded()) {
      // No upcall comes any more, so this answer cannot be one.
      Throwable cause = dispatcher.failure().map(DispatcherFailure::error).orElse(null);
      port.complete(Completion.failed(DispatcherFailure.closed("the store", cause)));
      return null;
    }
    Failure refusal = refuses();
    if (refusal != null) {
      dispatcher.complete(port, HeapBudget.failed(refusal));
      return null;
    }
    long beganNanos = dispatcher.upcallNanos();
    int verb = verbs + operation.index();
    long asker = recorder.current();
    long request = recorder.call(verb, origin);
    RequestsInside.Inside<T> inside =
        new RequestsInside.Inside<>(port) {
          @Override
          void leave(Completion<T> completion) {
            gate.leave();
            completed(operation, beganNanos, completion);
            recorder.serve(request);
            recorder.end(verb, origin, recorder.outcome(completion));
            // The asker's next steps are part of this only if the asker's request is.
            recorder.serve(request == asker ? asker : FlightRecorder.NOBODY);
            port.complete(completion);
          }
        };
    begun.add(inside);
    gate.enter(); // what finds no memory came before
    return inside;
  }

  /** The manager is closed: nobody is inside any more. */
  void closed() {
    threadEnds.close();
  }

  /** On the dispatcher's last thread: nobody will complete these any more. */
  private void threadEnded() {
    Throwable cause = dispatcher.failure().map(DispatcherFailure::error).orElse(null);
    begun.fail(
        DispatcherFailure.closed(
            "the store, with a request inside whose outcome is not known,", cause));
  }

  /** Why no request is let in now, or null. */
  @Nullable Failure refuses() {
    if (!gate.isOpen()) {
      return gate.closed();
    }
    if (gate.inside() >= maxRequests) {
      meter.refused();
      return new Failure.Busy(NAME);
    }
    return dispatcher.heap().refuses();
  }

  /** Counts a request that was begun and completed in the present upcall, of which it took all. */
  void completedAtOnce(FileOperation operation, Completion<?> completion) {
    completed(operation, dispatcher.upcallNanos(), completion);
    int verb = verbs + operation.index();
    recorder.call(verb, origin);
    recorder.end(verb, origin, recorder.outcome(completion));
  }

  private void completed(FileOperation operation, long beganNanos, Completion<?> completion) {
    long tookNanos = dispatcher.clock().monotonicNanos() - beganNanos;
    meter.completed(operation, tookNanos, completion instanceof Completion.Done);
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
