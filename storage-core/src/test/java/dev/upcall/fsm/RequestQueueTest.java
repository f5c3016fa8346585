package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestQueueTest {
  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock));
  private final List<String> called = new ArrayList<>();

  @Test
  void refusesWhenFull() {
    RequestQueue<String> queue =
        new RequestQueue<>("reads", 2, RequestQueue.WhenFull.REFUSE, dispatcher);
    assertTrue(queue.offer("a"));
    assertTrue(queue.offer("b"));
    assertFalse(queue.offer("c"));
    assertEquals(new Failure.Busy("reads"), queue.busy());
    assertEquals(2, queue.depth());
    assertEquals("a", queue.poll());
    assertTrue(queue.offer("d"));
    assertEquals("b", queue.poll());
    assertEquals("d", queue.poll());
    assertNull(queue.poll());
    assertEquals(2, queue.depthMax());
    assertEquals(1, queue.refused());
    assertThrows(Invariants.Violation.class, () -> queue.whenRoom(() -> {}));
  }

  @Test
  void parkedRequestersGetTheirPlacesInOrderAndNobodySlipsIn() {
    RequestQueue<String> queue =
        new RequestQueue<>("writes", 1, RequestQueue.WhenFull.PARK, dispatcher);
    assertTrue(queue.offer("a"));
    for (String name : List.of("first", "second", "third")) {
      queue.whenRoom(
          () -> {
            called.add(name);
            assertTrue(queue.offer(name));
          });
    }
    dispatcher.turn(false);
    assertEquals(List.of(), called);
    assertEquals("a", queue.poll());
    assertFalse(queue.offer("slips in"), "the place is promised");
    dispatcher.turn(false);
    assertEquals(List.of("first"), called);
    assertEquals("first", queue.poll());
    dispatcher.turn(false);
    assertEquals("second", queue.poll());
    dispatcher.turn(false);
    assertEquals("third", queue.poll());
    assertEquals(0, queue.parked());
    assertTrue(queue.hasRoom());
  }

  @Test
  void aPlaceThatIsNotUsedGoesToTheNext() {
    RequestQueue<String> queue =
        new RequestQueue<>("writes", 1, RequestQueue.WhenFull.PARK, dispatcher);
    queue.whenRoom(() -> called.add("changed its mind"));
    queue.whenRoom(() -> called.add("takes it"));
    assertEquals(List.of(), called, "never inside the call");
    dispatcher.turn(false);
    assertEquals(List.of("changed its mind", "takes it"), called);
    assertTrue(queue.isEmpty());
  }
}
