package dev.upcall.access;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;

/**
 * The SegmentClose machine of <em>Storage System Design using Finite State Machines</em>: a dirty
 * segment is flushed before it is closed; a write that comes during the flush makes another one
 * necessary.
 */
final class SegmentClose extends StateMachine<SegmentClose.State> {
  /** Where the closing of a segment stands: the report's SegmentClose machine with its failures. */
  public enum State {
    /** Nobody has asked. */
    START,
    /** Collected writes are being committed. */
    FLUSH_REQUESTED,
    /** The segment is clean and is being given back. */
    CLOSE_REQUESTED,
    /** Closed. */
    DONE,
    /** The flush failed: the segment is still open and dirty, and may be closed again. */
    FAILED
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("SegmentClose", State.class, State.START)
          .on("close request, clean", State.START, State.CLOSE_REQUESTED)
          .on("close request, dirty", State.START, State.FLUSH_REQUESTED)
          .on("flushed", State.FLUSH_REQUESTED, State.CLOSE_REQUESTED)
          .on("flushed, written meanwhile", State.FLUSH_REQUESTED, State.FLUSH_REQUESTED)
          .on("flush failed", State.FLUSH_REQUESTED, State.FAILED)
          .on("close request again", State.FAILED, State.FLUSH_REQUESTED)
          .on("given up", State.START, State.DONE)
          .on("given up", State.FAILED, State.DONE)
          .on("closed", State.CLOSE_REQUESTED, State.DONE)
          .build();

  private final Dispatcher dispatcher;
  private final Segment segment;

  /** The segment as this machine sees it. */
  interface Segment {
    /** Whether it holds writes that are not committed. */
    boolean isDirty();

    /** Commits them. */
    void flush(CompletionPort<Unit> port);

    /** Gives everything back. */
    void release();
  }

  SegmentClose(Dispatcher dispatcher, Segment segment) {
    super(TRANSITIONS, dispatcher);
    this.dispatcher = dispatcher;
    this.segment = segment;
  }

  /** Whether the segment may still be used. */
  boolean isOpen() {
    return state() == State.START || state() == State.FAILED || state() == State.FLUSH_REQUESTED;
  }

  /** The close request; in START or FAILED. */
  void close(CompletionPort<Unit> port) {
    if (segment.isDirty() || state() == State.FAILED) {
      become(State.FLUSH_REQUESTED);
      segment.flush(completion -> flushed(completion, port));
    } else {
      become(State.CLOSE_REQUESTED);
      dispatcher.post(() -> closed(port));
    }
  }

  /** Closes without a flush; in START or FAILED. */
  void abandon() {
    become(State.DONE);
    segment.release();
  }

  private void flushed(Completion<Unit> completion, CompletionPort<Unit> port) {
    if (completion instanceof Completion.Failed<Unit>) {
      become(State.FAILED);
      port.complete(completion);
    } else if (segment.isDirty()) {
      become(State.FLUSH_REQUESTED);
      segment.flush(again -> flushed(again, port));
    } else {
      become(State.CLOSE_REQUESTED);
      closed(port);
    }
  }

  private void closed(CompletionPort<Unit> port) {
    segment.release();
    become(State.DONE);
    port.complete(Completion.done());
  }
}
