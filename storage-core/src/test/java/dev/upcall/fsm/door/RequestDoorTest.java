package dev.upcall.fsm.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.base.ManualClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.ManualReactor;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestDoorTest {
  private static final int REQUESTS = 3;

  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock));
  private final RequestDoor door = new RequestDoor("door", REQUESTS, dispatcher);

  /** Ports of the requests inside, oldest first. */
  private final List<CompletionPort<Unit>> inside = new ArrayList<>();

  private int answers;

  /** As the heap does with what it has moved to the old objects, until it looks at all of them. */
  @Test
  void whoHoldsARequestThatIsOverHoldsNoneBesideIt() {
    dispatcher.adopt();
    for (int i = 0; i < REQUESTS; i++) {
      door.<Unit>offer(inside::add, completion -> answers++);
    }
    dispatcher.turn(false);
    CompletionPort<Unit> held = inside.get(1);
    List<WeakReference<CompletionPort<Unit>>> beside =
        List.of(new WeakReference<>(inside.getFirst()), new WeakReference<>(inside.getLast()));
    held.complete(Completion.done());
    inside.remove(held);
    inside.forEach(port -> port.complete(Completion.done()));
    inside.clear();
    assertEquals(REQUESTS, answers);
    for (int i = 0; i < 50 && beside.stream().anyMatch(each -> each.get() != null); i++) {
      System.gc();
    }
    beside.forEach(each -> assertNull(each.get()));
    Reference.reachabilityFence(held);
  }
}
