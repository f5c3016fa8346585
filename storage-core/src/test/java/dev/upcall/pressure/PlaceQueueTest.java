package dev.upcall.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.PlaceConfig;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceQueueTest {
  private static final long WAIT_NANOS = 5_000_000;

  private final SimWorld world = SimWorld.ofBlocks(1, 1);
  private final PlaceQueue queue =
      new PlaceQueue(world.dispatcher(), "test", 2, new PlaceConfig(3, WAIT_NANOS));
  private final List<String> heard = new ArrayList<>();

  private PlaceQueue.Place taken() {
    PlaceQueue.Place place = queue.place();
    assertTrue(place.tryTake());
    return place;
  }

  private PlaceQueue.Place waiting(String name) {
    PlaceQueue.Place place = queue.place();
    assertFalse(place.tryTake());
    place.await(heardBy(name));
    return place;
  }

  private CompletionPort<Unit> heardBy(String name) {
    return completion ->
        heard.add(
            completion instanceof Completion.Failed<Unit>(Failure failure)
                ? name + ": " + failure.message()
                : name);
  }

  /** All that is due now; no time passes. */
  private void run() {
    while (world.dispatcher().turn(/* mayWait= */ false) > 0) {
      // until nothing is left
    }
  }

  @Test
  void whoComesFirstIsServedFirst() {
    PlaceQueue.Place first = taken();
    PlaceQueue.Place second = taken();
    PlaceQueue.Place third = waiting("third");
    waiting("fourth");
    run();
    assertEquals(List.of(), heard);
    first.leave();
    assertEquals(List.of(), heard, "never inside the call");
    assertFalse(queue.place().tryTake(), "nobody passes those who wait");
    run();
    assertEquals(List.of("third"), heard);
    assertTrue(third.isTaken());
    third.leave();
    second.leave();
    run();
    assertEquals(List.of("third", "fourth"), heard);
    taken();
    assertEquals(new PlaceCounters("test", 2, 2, 0, 2, 0, 0), queue.counters());
  }

  @Test
  void theLineIsBounded() {
    taken();
    taken();
    waiting("a");
    waiting("b");
    waiting("c");
    waiting("d");
    run();
    assertEquals(
        List.of(
            "d: too many requests at once (test: all 2 places are taken, and 3 wait); try again"),
        heard);
    assertEquals(new PlaceCounters("test", 2, 2, 3, 3, 1, 0), queue.counters());
  }

  @Test
  void theTimeInItIsBounded() {
    PlaceQueue.Place first = taken();
    taken();
    waiting("a");
    long beganNanos = world.clock().monotonicNanos();
    world.runUntilIdle();
    assertEquals(
        List.of("a: too many requests at once (test: waited 5 ms for one of 2 places); try again"),
        heard);
    assertTrue(world.clock().monotonicNanos() - beganNanos >= WAIT_NANOS);
    first.leave();
    taken();
    assertEquals(new PlaceCounters("test", 2, 2, 0, 1, 0, 1), queue.counters());
  }

  @Test
  void whoLeavesTheLineIsNotToldAndNotCalled() {
    PlaceQueue.Place first = taken();
    taken();
    PlaceQueue.Place gone = waiting("gone");
    waiting("stays");
    gone.leave();
    gone.leave();
    first.leave();
    world.runUntilIdle();
    assertEquals(List.of("stays"), heard);
  }

  /** It was called, and has not heard of it. */
  @Test
  void whoLeavesWhenCalledHandsThePlaceOn() {
    PlaceQueue.Place first = taken();
    taken();
    PlaceQueue.Place gone = waiting("gone");
    waiting("next");
    first.leave();
    gone.leave();
    run();
    assertEquals(List.of("next"), heard);
    assertEquals(2, queue.counters().taken());
  }

  @Test
  void whoComesBackWhenCalledIsToldOnce() {
    PlaceQueue.Place first = taken();
    taken();
    PlaceQueue.Place place = waiting("before");
    first.leave();
    place.leave();
    place.await(heardBy("after"));
    world.runUntilIdle();
    assertEquals(List.of("after"), heard);
    assertEquals(2, queue.counters().taken());
  }

  @Test
  void whenItStopsNobodyWaits() {
    PlaceQueue.Place first = taken();
    taken();
    waiting("a");
    queue.stop(new Failure.Closed("the test"));
    waiting("b");
    world.runUntilIdle();
    assertEquals(List.of("a: the test is closed", "b: the test is closed"), heard);
    first.leave();
    taken();
    assertEquals(0, queue.counters().waiting());
  }

  @Test
  void whoLeavesWhenRefusedIsNotTold() {
    taken();
    taken();
    PlaceQueue.Place gone = waiting("gone");
    queue.stop(new Failure.Closed("the test"));
    gone.leave();
    world.runUntilIdle();
    assertEquals(List.of(), heard);
  }
}
