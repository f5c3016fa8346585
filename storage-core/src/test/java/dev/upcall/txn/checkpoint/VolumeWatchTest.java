package dev.upcall.txn.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.io.DiskOperation;
import dev.upcall.segment.PinnedContent;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A volume whose file somebody removes or cuts while the store has it open. */
class VolumeWatchTest {
  private static final long SECOND = 1_000_000_000L;

  private final TransitionCoverage coverage = new TransitionCoverage();

  @Test
  void pageIsFresh() {
    StateMachineDocs.check(VolumeWatch.TRANSITIONS);
  }

  private static SimWorld world(long seed) {
    SimWorld world =
        SimWorld.ofBlocks(seed, 4096).closesUnchecked("what is left is looked at by the test");
    // So long that no checkpoint comes by itself, which would look, too.
    StoreFixture.format(world, new VolumeLayout(256, 64, 4096));
    return world;
  }

  @Test
  void nobodyLooksAtAVolumeThatDoesNotChange() {
    SimWorld world = world(1);
    StoreFixture store = StoreFixture.recovered(world);
    done(store.put(100, StoreFixture.bytes(1, 3000)));
    pass(world, 2 * SECOND);
    assertEquals(1, looks(world));
    pass(world, 100 * SECOND);
    assertEquals(1, looks(world));
    for (int i = 0; i < 12; i++) {
      done(store.put(100, StoreFixture.bytes(i, 20)));
      pass(world, SECOND / 2);
    }
    assertEquals(7, looks(world), 1);
    world.<Unit>get(store.store()::close);
  }

  @Test
  void aSecondAfterTheLossNothingIsTakenAnyMore() {
    SimWorld world = world(2);
    StoreFixture store = StoreFixture.recovered(world);
    done(store.put(100, StoreFixture.bytes(1, 3000)));
    world.disk().remove();
    long since = world.clock().monotonicNanos();
    int taken = 0;
    while (store.put(101, StoreFixture.bytes(++taken, 20)) instanceof Completion.Done<Unit>) {
      pass(world, SECOND / 8);
    }
    long nanos = world.clock().monotonicNanos() - since;
    assertTrue(nanos <= VolumeWatch.INTERVAL_NANOS + SECOND / 10, () -> nanos + " ns");
    String why = "volume sim failed: its file was removed while the store had it open";
    assertEquals(
        why, store.store().info().readOnlyReason().substring("the store is read-only: ".length()));
    Failure refused = failure(store.put(101, StoreFixture.bytes(1, 10)));
    assertEquals(new Failure.ReadOnly(why), refused);
    assertArrayEquals(StoreFixture.bytes(taken - 1, 20), store.read(101));
    long left = world.disk().contents().digest();
    assertInstanceOf(Failure.ReadOnly.class, failure(world.await(store.store()::close)));
    assertEquals(left, world.disk().contents().digest(), "written behind the notice");
  }

  @Test
  void noCheckpointNamesWhatIsInAFileWithoutAName() {
    SimWorld world = world(3);
    StoreFixture store = StoreFixture.recovered(world);
    pass(world, 2 * SECOND);
    done(store.put(100, StoreFixture.bytes(1, 3000)));
    world.disk().cut(3000);
    Failure why = failure(world.await(store.store()::checkpoint));
    assertTrue(why.message().contains("its file was cut to 12288000 bytes"), why::message);
    String info = store.store().info().readOnlyReason();
    assertTrue(info.contains(why.message()), info);
    assertInstanceOf(Failure.ReadOnly.class, failure(store.put(101, new byte[1])));
    world.await(store.store()::close);
  }

  /** Whatever is under way: no wrong byte, and nothing is taken once it is known. */
  @Test
  void atAnyMoment() {
    for (int seed = 1; seed <= 150; seed++) {
      SimWorld world = world(seed);
      lose(world, new SplittableRandom(seed), /* cut= */ seed % 2 == 0);
      coverage.add(world.dispatcher().recorder());
    }
    changeDuringALook(coverage);
    coverage.assertAllTaken(VolumeWatch.TRANSITIONS);
  }

  @Test
  void whatChangesDuringALookIsLookedAt() {
    changeDuringALook(new TransitionCoverage());
  }

  private static void changeDuringALook(TransitionCoverage coverage) {
    SimWorld world = world(4);
    StoreFixture store = StoreFixture.recovered(world);
    done(store.put(100, StoreFixture.bytes(1, 20)));
    pass(world, SECOND / 2);
    assertEquals(0, world.disk().inFlight());
    assertTrue(world.runUntil(() -> world.disk().inFlight() > 0), "a look");
    done(store.remove(100));
    pass(world, 3 * SECOND);
    assertEquals(2, looks(world));
    world.<Unit>get(store.store()::close);
    coverage.add(world.dispatcher().recorder());
  }

  private static void lose(SimWorld world, SplittableRandom random, boolean cut) {
    StoreFixture store = StoreFixture.recovered(world);
    Map<Long, byte[]> acknowledged = new TreeMap<>();
    int lossAt = random.nextInt(40);
    world
        .reactor()
        .after(
            lossAt * SECOND / 20,
            () -> {
              if (cut) {
                world.disk().cut(random.nextLong(StoreFixture.tinyLayout().dataStart(), 4096));
              } else {
                world.disk().remove();
              }
            });
    for (int i = 0; i < 90; i++) {
      long id = 100 + random.nextInt(12);
      boolean known = !store.store().info().readOnlyReason().isEmpty();
      byte[] content = StoreFixture.bytes(1000 + i, random.nextInt(60_000));
      if (random.nextInt(6) == 0) {
        world.await(store.store()::checkpoint);
      }
      Completion<Unit> put = known || random.nextInt(5) != 0 ? tryPut(store, id, content) : null;
      if (put instanceof Completion.Done<Unit>) {
        assertTrue(!known, "taken after it was known");
        acknowledged.put(id, content);
      } else if (put != null) {
        // May be there or not; what nobody was told is not looked at.
        acknowledged.remove(id);
      }
      pass(world, random.nextLong(SECOND / 10));
    }
    check(store, acknowledged, cut);
    world.await(store.store()::close);
    if (!cut) {
      // Whoever still has the file, by another descriptor, has all of it.
      SimWorld again = world.reopen(world.disk().contents());
      StoreFixture rescued = StoreFixture.recovered(again);
      check(rescued, acknowledged, false);
      rescued.end();
    }
  }

  private static @Nullable Completion<Unit> tryPut(StoreFixture store, long id, byte[] content) {
    Failure refusal = store.store().refusesContent();
    return refusal == null ? store.put(id, content) : Completion.failed(refusal);
  }

  private static void check(StoreFixture store, Map<Long, byte[]> acknowledged, boolean mayFail) {
    acknowledged.forEach(
        (id, content) -> {
          switch (store.pin(id)) {
            case Completion.Done<PinnedContent>(PinnedContent pinned) -> {
              try (pinned) {
                switch (StoreFixture.readAll(store.world(), pinned)) {
                  case Completion.Done<byte[]>(byte[] bytes) -> assertArrayEquals(content, bytes);
                  case Completion.Failed<byte[]>(Failure why) ->
                      assertTrue(mayFail && why instanceof Failure.Corrupt, why::message);
                  case null -> throw new AssertionError("crashed");
                }
              }
            }
            case Completion.Failed<PinnedContent>(Failure why) ->
                assertTrue(mayFail && why instanceof Failure.Corrupt, why::message);
            case null -> throw new AssertionError("crashed");
          }
        });
  }

  private static void pass(SimWorld world, long nanos) {
    boolean[] over = new boolean[1];
    world.reactor().after(nanos, () -> over[0] = true);
    assertTrue(world.runUntil(() -> over[0]));
  }

  private static long looks(SimWorld world) {
    return world.disk().counters().of(DiskOperation.STAT).requests();
  }

  private static void done(@Nullable Completion<Unit> completion) {
    assertEquals(Completion.done(), completion);
  }

  private static Failure failure(@Nullable Completion<Unit> completion) {
    return ((Completion.Failed<?>) assertInstanceOf(Completion.Failed.class, completion)).failure();
  }
}
