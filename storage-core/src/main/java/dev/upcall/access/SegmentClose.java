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
final class SegmentClose extends StateMachine<SegmentCloseState> {
  static final Transitions<SegmentCloseState> TRANSITIONS =
      Transitions.of("SegmentClose", SegmentCloseState.class, SegmentCloseState.START)
          .on("close request, clean", SegmentCloseState.START, SegmentCloseState.CLOSE_REQUESTED)
          .on("close request, dirty", SegmentCloseState.START, SegmentCloseState.FLUSH_REQUESTED)
          .on("flushed", SegmentCloseState.FLUSH_REQUESTED, SegmentCloseState.CLOSE_REQUESTED)
          .on(
              "flushed, written meanwhile",
              SegmentCloseState.FLUSH_REQUESTED,
              SegmentCloseState.FLUSH_REQUESTED)
          .on("flush failed", SegmentCloseState.FLUSH_REQUESTED, SegmentCloseState.FAILED)
          .on("close request again", SegmentCloseState.FAILED, SegmentCloseState.FLUSH_REQUESTED)
          .on("given up", SegmentCloseState.START, SegmentCloseState.DONE)
          .on("given up", SegmentCloseState.FAILED, SegmentCloseState.DONE)
          .on("closed", SegmentCloseState.CLOSE_REQUESTED, SegmentCloseState.DONE)
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
    return state() == SegmentCloseState.START
        || state() == SegmentCloseState.FAILED
        || state() == SegmentCloseState.FLUSH_REQUESTED;
  }

  /** The close request; in START or FAILED. */
  void close(CompletionPort<Unit> port) {
    if (segment.isDirty() || state() == SegmentCloseState.FAILED) {
      become(SegmentCloseState.FLUSH_REQUESTED);
      segment.flush(completion -> flushed(completion, port));
    } else {
      become(SegmentCloseState.CLOSE_REQUESTED);
      dispatcher.post(() -> closed(port));
    }
  }

  /** Closes without a flush; in START or FAILED. */
  void abandon() {
    become(SegmentCloseState.DONE);
    segment.release();
  }

  private void flushed(Completion<Unit> completion, CompletionPort<Unit> port) {
    if (completion instanceof Completion.Failed<Unit>) {
      become(SegmentCloseState.FAILED);
      port.complete(completion);
    } else if (segment.isDirty()) {
      become(SegmentCloseState.FLUSH_REQUESTED);
      segment.flush(again -> flushed(again, port));
    } else {
      become(SegmentCloseState.CLOSE_REQUESTED);
      closed(port);
    }
  }

  private void closed(CompletionPort<Unit> port) {
    segment.release();
    become(SegmentCloseState.DONE);
    port.complete(Completion.done());
  }
}
