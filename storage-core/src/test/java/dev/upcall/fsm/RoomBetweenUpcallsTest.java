package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Clock;
import dev.upcall.base.ManualClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Upcalls of a dispatcher that has lost its room in the heap. */
class RoomBetweenUpcallsTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualClock clock = new ManualClock();
  private final Room room = new Room();
  private final Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock, room));
  private final List<String> did = new ArrayList<>();

  /** Room that others have taken until somebody has waited for it so often. */
  private final class Room implements HeapRoom {
    private int taken;
    private boolean forEver;

    @Override
    public boolean isThere() {
      return taken == 0 && !forEver;
    }

    @Override
    public boolean restore(Clock time) {
      did.add("look");
      return isThere();
    }

    @Override
    public boolean awaitRestored(Clock time, long nanos) {
      did.add("wait");
      clock.advance(forEver ? nanos : SECOND);
      taken = Math.max(0, taken - 1);
      return isThere();
    }
  }

  @Test
  void roomThatOthersTakeInAnUpcall_isWaitedForBeforeTheNextOne() {
    dispatcher.post(
        () -> {
          did.add("first");
          room.taken = 1;
        });
    dispatcher.post(() -> did.add("second"));
    dispatcher.turn(false);
    assertEquals(List.of("first", "wait", "second"), did);
  }

  /** Else a program whose own upcalls let go of what fills the heap would never come to them. */
  @Test
  void roomThatDoesNotComeBack_isWaitedForOnce() {
    room.forEver = true;
    dispatcher.post(() -> did.add("first"));
    dispatcher.post(() -> did.add("second"));
    dispatcher.turn(false);
    assertEquals("wait", did.getFirst());
    assertEquals(1, Collections.frequency(did, "wait"));
    assertTrue(did.containsAll(List.of("first", "second")), did::toString);
    assertEquals(10 * SECOND, clock.monotonicNanos());
    room.forEver = false;
    assertNull(dispatcher.heap().refuses());
    room.forEver = true;
    dispatcher.post(() -> did.add("third"));
    did.clear();
    dispatcher.turn(false);
    assertEquals("wait", did.getFirst(), "it has come in between");
  }

  @Test
  void theRefusalForWantOfMemory_isThereBefore() {
    Failure full = HeapBudget.full();
    assertSame(HeapBudget.failed(full), HeapBudget.failed(full));
    assertSame(HeapBudget.failedFull(), HeapBudget.failed(full));
    Failure other = new Failure.Busy("anything else");
    assertEquals(Completion.failed(other), HeapBudget.failed(other));
  }

  /** An answer given because the heap is full finds room in the FIFO. */
  @Test
  void theFifo_growsBeforeItIsFull() {
    UpcallFifo fifo = new UpcallFifo(1 << 20);
    Runnable upcall = () -> {};
    for (int i = 0; i < 5000; i++) {
      fifo.makeRoom();
      int roomEntries = fifo.roomEntries();
      assertTrue(roomEntries >= 16, () -> fifo.size() + " entries");
      fifo.add(upcall, null, 0);
    }
  }
}
