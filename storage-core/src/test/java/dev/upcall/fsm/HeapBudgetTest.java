package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Clock;
import dev.upcall.base.ManualClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.PlaceConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
  private static final long MIB = 1 << 20;
  private static final long WAIT_NANOS = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock));
  private final List<String> heard = new ArrayList<>();
  private boolean full;

  private final HeapRoom room =
      new HeapRoom() {
        @Override
        public boolean isThere() {
          return !full;
        }

        @Override
        public boolean restore(Clock time) {
          return !full;
        }
      };

  private final HeapBudget budget =
      new HeapBudget(dispatcher, room, 10 * MIB, new PlaceConfig(3, WAIT_NANOS));

  @BeforeEach
  void own() {
    dispatcher.adopt();
  }

  private HeapBudget.Hold taken(String name, long bytes) {
    HeapBudget.Hold hold = budget.hold();
    hold.take(bytes, "/" + name, completion -> heard.add(name + words(completion)));
    return hold;
  }

  private static String words(Completion<Unit> completion) {
    return completion instanceof Completion.Failed<Unit>(Failure failure)
        ? ": " + failure.getClass().getSimpleName()
        : "";
  }

  private List<String> heard() {
    dispatcher.turn(false);
    List<String> now = List.copyOf(heard);
    heard.clear();
    return now;
  }

  @Test
  void whatFits_isHeldAtOnce_othersWaitInOrder() {
    HeapBudget.Hold first = taken("first", 6 * MIB);
    HeapBudget.Hold second = taken("second", 6 * MIB);
    taken("third", MIB); // would fit, and does not pass
    assertEquals(List.of("first"), heard());
    assertEquals(2, budget.waiting());
    first.giveBack();
    assertEquals(List.of("second", "third"), heard());
    first.giveBack();
    assertEquals(7 * MIB, budget.heldBytes());
    second.giveBack();
    assertEquals(MIB, budget.heldBytes());
  }

  @Test
  void smallResults_areNotCounted_whateverWaits() {
    taken("large", 10 * MIB);
    taken("waits", MIB);
    taken("small", HeapBudget.UNCOUNTED_BYTES).giveBack();
    assertEquals(List.of("large", "small"), heard());
    assertEquals(10 * MIB, budget.heldBytes());
  }

  @Test
  void largerThanAll_waitsUntilItIsAlone() {
    HeapBudget.Hold other = taken("other", MIB);
    HeapBudget.Hold huge = taken("huge", 100 * MIB);
    assertEquals(List.of("other"), heard());
    other.giveBack();
    assertEquals(List.of("huge"), heard());
    taken("behind", MIB);
    assertEquals(List.of(), heard());
    huge.giveBack();
    assertEquals(List.of("behind"), heard());
  }

  @Test
  void tooMany_andTooLong_areBusy() {
    HeapBudget.Hold first = taken("first", 10 * MIB);
    for (int i = 0; i < 4; i++) {
      taken("n" + i, MIB);
    }
    assertEquals(List.of("first", "n3: Busy"), heard());
    clock.advance(WAIT_NANOS);
    dispatcher.turn(false);
    assertEquals(List.of("n0: Busy", "n1: Busy", "n2: Busy"), heard());
    first.giveBack();
    assertEquals(0, budget.heldBytes());
  }

  @Test
  void whoGivesUpBeforeItIsHeld_holdsNothing() {
    HeapBudget.Hold first = taken("first", 10 * MIB);
    taken("waits", MIB).giveBack();
    HeapBudget.Hold early = budget.hold();
    early.giveBack();
    early.take(MIB, "/early", completion -> heard.add("early" + words(completion)));
    assertEquals(List.of("first", "early: Cancelled", "waits: Cancelled"), heard());
    first.giveBack();
    assertEquals(0, budget.heldBytes());
  }

  @Test
  void stopWaiting_answersThoseWhoWait_andWhoComesLater() {
    HeapBudget.Hold first = taken("first", 10 * MIB);
    taken("waits", MIB);
    budget.stopWaiting(new Failure.Closed("the store"));
    taken("later", MIB);
    assertEquals(List.of("first", "later: Closed", "waits: Closed"), heard());
    first.giveBack();
    taken("fits", MIB);
    assertEquals(List.of("fits"), heard());
  }

  @Test
  void fullHeap_refusesRequests_andNamesWhatHelps() {
    assertNull(budget.refuses());
    full = true;
    Failure failure = budget.refuses();
    assertNotNull(failure);
    assertTrue(failure instanceof Failure.Busy && failure.message().contains("-Xmx"));
    assertEquals(false, budget.hasRoom());
    full = false;
    assertNull(budget.refuses());
  }
}
