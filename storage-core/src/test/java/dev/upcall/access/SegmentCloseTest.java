package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.sim.SimWorld;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** The report's SegmentClose machine over a segment that the test plays. */
class SegmentCloseTest {
  private final SimWorld world = SimWorld.ofBlocks(1, 16);
  private final PlayedSegment segment = new PlayedSegment();
  private final SegmentClose machine = new SegmentClose(world.dispatcher(), segment);
  private Completion<Unit> closed;

  private static final class PlayedSegment implements SegmentClose.Segment {
    private final ArrayDeque<CompletionPort<Unit>> flushes = new ArrayDeque<>();
    private boolean dirty;
    private int released;

    @Override
    public boolean isDirty() {
      return dirty;
    }

    @Override
    public void flush(CompletionPort<Unit> port) {
      flushes.add(port);
    }

    @Override
    public void release() {
      released++;
    }
  }

  private void close() {
    closed = null;
    machine.close(completion -> closed = completion);
    assertNull(closed, "a completion inside the call that asked");
  }

  private void flushed(Completion<Unit> completion, boolean dirtyAgain) {
    segment.dirty = dirtyAgain;
    segment.flushes.remove().complete(completion);
  }

  private void assertClosed() {
    assertInstanceOf(Completion.Done.class, closed);
    assertEquals(SegmentClose.State.DONE, machine.state());
    assertEquals(1, segment.released);
    assertFalse(machine.isOpen());
  }

  @Test
  void cleanIsClosedAtOnce() {
    close();
    world.runUntilIdle();
    assertClosed();
  }

  @Test
  void dirtyIsFlushedFirstAndAgainWhenWrittenMeanwhile() {
    segment.dirty = true;
    close();
    flushed(Completion.done(), /* dirtyAgain= */ true);
    assertNull(closed);
    flushed(Completion.done(), /* dirtyAgain= */ false);
    assertClosed();
  }

  @Test
  void afterAFailedFlushItIsOpenAndMayBeClosedAgain() {
    segment.dirty = true;
    close();
    flushed(Completion.failed(new Failure.Busy("the log")), /* dirtyAgain= */ true);
    assertInstanceOf(Completion.Failed.class, closed);
    assertTrue(machine.isOpen());
    assertEquals(0, segment.released);
    close();
    flushed(Completion.done(), /* dirtyAgain= */ false);
    assertClosed();
  }

  @Test
  void everyTransitionIsTaken() {
    TransitionCoverage coverage = new TransitionCoverage();
    SegmentCloseTest[] stories = new SegmentCloseTest[5];
    for (int i = 0; i < stories.length; i++) {
      stories[i] = new SegmentCloseTest();
    }
    stories[0].cleanIsClosedAtOnce();
    stories[1].dirtyIsFlushedFirstAndAgainWhenWrittenMeanwhile();
    stories[2].afterAFailedFlushItIsOpenAndMayBeClosedAgain();
    stories[3].machine.abandon();
    stories[4].segment.dirty = true;
    stories[4].close();
    stories[4].flushed(Completion.failed(new Failure.Busy("the log")), true);
    stories[4].machine.abandon();
    for (SegmentCloseTest story : stories) {
      coverage.add(story.world.dispatcher().recorder());
    }
    coverage.assertAllTaken(SegmentClose.TRANSITIONS);
  }
}
