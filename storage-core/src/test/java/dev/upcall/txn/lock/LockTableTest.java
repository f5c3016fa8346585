package dev.upcall.txn.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.LockConfig;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.sim.SimWorld;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LockTableTest {
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();
  private static final long TIMEOUT_NANOS = 1_000_000;

  private final SimWorld world = SimWorld.ofBlocks(1, 1);
  private final LockTable table =
      new LockTable(world.dispatcher(), new LockConfig(TIMEOUT_NANOS, 4, 10));
  private final List<String> heard = new ArrayList<>();
  private final LockOwner one = new LockOwner("transaction 1");
  private final LockOwner two = new LockOwner("transaction 2");
  private final LockOwner three = new LockOwner("transaction 3");
  private final LockKey a = LockKey.ofSegment(17);
  private final LockKey b = LockKey.of(LockKey.Kind.NAME, "\0\0\0\0\0\0\0\5x".getBytes(UTF_8));
  private final LockKey c = LockKey.of(LockKey.Kind.PROPERTY, "p".getBytes(UTF_8));

  private static final java.nio.charset.Charset UTF_8 = StandardCharsets.UTF_8;

  @AfterEach
  void count() {
    COVERAGE.add(world.dispatcher().recorder());
  }

  @AfterAll
  static void everyTransitionWasTaken() {
    COVERAGE.assertAllTaken(LockRequest.TRANSITIONS);
    StateMachineDocs.check(LockRequest.TRANSITIONS);
  }

  @Test
  void whoStandsAloneIsInTheWayOfNobodyElseWhoDoes() {
    LockOwner alone = LockOwner.standingAlone("request 1");
    ask(alone, a);
    turn();
    assertFalse(table.isHeldByOther(a, null));
    ask(one, a);
    turn();
    assertEquals(List.of("request 1 has " + a), heard, "a transaction waits for its turn");
    table.release(alone);
    assertTrue(table.isHeldByOther(a, null));
  }

  private void ask(LockOwner owner, LockKey key) {
    table.acquire(
        owner,
        key,
        () -> "put",
        completion ->
            heard.add(
                owner.name()
                    + switch (completion) {
                      case Completion.Done<Unit> _ -> " has " + key;
                      case Completion.Failed<Unit>(Failure failure) -> ": " + failure.message();
                    }));
  }

  private void turn() {
    turn(world);
  }

  /** Runs what is ready; no time passes. */
  private static void turn(SimWorld world) {
    for (int i = 0; i < 3; i++) {
      world.dispatcher().turn(false);
    }
  }

  @Test
  void aFreeKeyIsGrantedButNotInsideTheCall() {
    ask(one, a);
    assertEquals(List.of(), heard);
    turn();
    assertEquals(List.of("transaction 1 has segment 17"), heard);
    assertFalse(table.isEmpty());
    assertFalse(table.isHeldByOther(a, one));
    assertTrue(table.isHeldByOther(a, two));
    assertFalse(table.isHeldByOther(b, two));
    table.release(one);
    assertTrue(table.isEmpty());
  }

  @Test
  void goesFirstComeFirstServed() {
    ask(one, a);
    ask(two, a);
    ask(three, a);
    turn();
    table.release(one);
    assertTrue(table.isHeldByOther(a, three), "the first in the queue has it at once");
    turn();
    table.release(two);
    turn();
    assertEquals(
        List.of(
            "transaction 1 has segment 17",
            "transaction 2 has segment 17",
            "transaction 3 has segment 17"),
        heard);
    assertEquals(2, table.counters().waitNanos().count());
  }

  @Test
  void aCycleIsRefusedAndNamed() {
    ask(one, a);
    ask(two, b);
    ask(three, c);
    ask(one, b);
    ask(two, c);
    turn();
    heard.clear();
    ask(three, a);
    turn();
    assertEquals(
        List.of(
            "transaction 3: deadlock: transaction 3 (put) waits for segment 17, held by transaction"
                + " 1; transaction 1 (put) waits for name \"x\" in directory 5, held by transaction"
                + " 2; transaction 2 (put) waits for property \"p\", held by transaction 3; do the"
                + " transaction again"),
        heard);
    assertEquals(1, table.counters().deadlocks());
    heard.clear();
    table.release(three);
    turn();
    assertEquals(List.of("transaction 2 has property \"p\""), heard);
  }

  @Test
  void aQueueBehindACycleIsNone() {
    ask(one, a);
    ask(two, b);
    ask(two, a);
    ask(three, a);
    turn();
    assertEquals(0, table.counters().deadlocks());
    assertEquals(2, table.counters().waiting());
  }

  @Test
  void waitsNoLongerThanTheTimeOut() {
    ask(one, a);
    ask(two, a);
    ask(three, a);
    world.runUntilIdle();
    assertEquals(
        List.of(
            "transaction 1 has segment 17",
            "transaction 2: waited 1 ms for a lock on segment 17, held by transaction 1; try again",
            "transaction 3: waited 1 ms for a lock on segment 17, held by transaction 1; try again"),
        heard);
    assertEquals(2, table.counters().timeouts());
    assertEquals(0, table.counters().waiting());
    table.release(one);
    assertTrue(table.isEmpty());
  }

  @Test
  void whoGivesUpLeavesTheQueue() {
    ask(one, a);
    ask(two, b);
    ask(two, a);
    ask(three, a);
    turn();
    heard.clear();
    table.release(two);
    table.release(one);
    turn();
    assertEquals(List.of("transaction 3 has segment 17"), heard);
    assertFalse(table.isHeldByOther(b, one));
  }

  @Test
  void limitsAreTyped() {
    for (int i = 0; i < 5; i++) {
      ask(one, LockKey.ofSegment(i));
    }
    turn();
    assertEquals(
        "transaction 1: transaction 1 is too large: 5 locks, the limit is 4", heard.getLast());
    for (int i = 10; i < 14; i++) {
      ask(two, LockKey.ofSegment(i));
    }
    ask(three, a);
    ask(three, b);
    ask(three, c);
    turn();
    assertEquals("transaction 3: too many requests at once (locks); try again", heard.getLast());
    assertEquals(2, table.counters().refused());
    assertEquals(10, table.counters().held());
  }

  @Test
  void twiceIsAProgrammersError() {
    ask(one, a);
    assertThrows(Invariants.Violation.class, () -> ask(one, a));
    ask(two, a);
    assertThrows(Invariants.Violation.class, () -> ask(two, b));
  }

  @Test
  void aModelAgrees() {
    for (long seed = 1; seed <= 300; seed++) {
      new Model(seed).run();
    }
  }

  /** Owners that ask and release at random, against who should have what. */
  private static final class Model {
    private static final int OWNERS = 5;
    private static final int KEYS = 4;

    private final SplittableRandom random;
    private final SimWorld world;
    private final LockTable table;
    private final LockOwner[] owners = new LockOwner[OWNERS];
    private final Map<Integer, Integer> holders = new LinkedHashMap<>();
    private final Map<Integer, ArrayDeque<Integer>> queues = new LinkedHashMap<>();
    private final Integer[] waitsFor = new Integer[OWNERS];
    private final List<String> heard = new ArrayList<>();
    private final List<String> expected = new ArrayList<>();

    Model(long seed) {
      random = new SplittableRandom(seed);
      world = SimWorld.ofBlocks(seed, 1);
      table = new LockTable(world.dispatcher(), new LockConfig(Long.MAX_VALUE / 4, 100, 100));
      for (int i = 0; i < OWNERS; i++) {
        owners[i] = new LockOwner("" + i);
      }
      for (int i = 0; i < KEYS; i++) {
        queues.put(i, new ArrayDeque<>());
      }
    }

    void run() {
      for (int step = 0; step < 200; step++) {
        int owner = random.nextInt(OWNERS);
        int key = random.nextInt(KEYS);
        if (random.nextInt(4) == 0) {
          release(owner);
        } else if (waitsFor[owner] == null && !Integer.valueOf(owner).equals(holders.get(key))) {
          ask(owner, key);
        }
        turn(world);
        assertEquals(expected, heard);
        assertEquals(holders.size(), table.counters().held());
      }
      COVERAGE.add(world.dispatcher().recorder());
    }

    private void ask(int owner, int key) {
      table.acquire(
          owners[owner],
          LockKey.ofSegment(key),
          () -> "",
          completion -> {
            boolean failed = completion instanceof Completion.Failed<Unit>;
            if (completion instanceof Completion.Failed<Unit>(Failure failure)) {
              assertInstanceOf(Failure.Deadlock.class, failure);
            }
            heard.add(owner + (failed ? " not " : " ") + key);
          });
      if (!holders.containsKey(key)) {
        holders.put(key, owner);
        expected.add(owner + " " + key);
      } else if (reaches(holders.get(key), owner)) {
        expected.add(owner + " not " + key);
      } else {
        queues.get(key).addLast(owner);
        waitsFor[owner] = key;
      }
    }

    /** Whether somebody waits, however far around, for the other or behind it in a queue. */
    private boolean reaches(int from, int to) {
      if (from == to) {
        return true;
      }
      Integer key = waitsFor[from];
      if (key == null) {
        return false;
      }
      for (int ahead : queues.get(key)) {
        if (ahead == from) {
          break;
        }
        if (reaches(ahead, to)) {
          return true;
        }
      }
      return reaches(holders.get(key), to);
    }

    private void release(int owner) {
      table.release(owners[owner]);
      if (waitsFor[owner] != null) {
        queues.get(waitsFor[owner]).remove(owner);
        waitsFor[owner] = null;
      }
      for (int key : List.copyOf(holders.keySet())) {
        if (Integer.valueOf(owner).equals(holders.get(key))) {
          holders.remove(key);
          Integer next = queues.get(key).pollFirst();
          if (next != null) {
            holders.put(key, next);
            waitsFor[next] = null;
            expected.add(next + " " + key);
          }
        }
      }
    }
  }
}
