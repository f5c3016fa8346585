package dev.upcall.pressure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.IoClass;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PressureTest {
  private static final Failure FULL = new Failure.VolumeFull(1, 0, 2);
  private static final Failure BUSY = new Failure.Busy("the log");
  private static final Thresholds AT = new Thresholds(10, 15, 20);

  private final SimWorld world = SimWorld.ofBlocks(1, 1);
  private final Pressure pressure = new Pressure(world.dispatcher());
  private final Work work = new Work();
  private final Map<Scarce, Long> levels = new EnumMap<>(Scarce.class);
  private final List<String> heard = new ArrayList<>();

  PressureTest() {
    pressure.relieveBy(work);
    for (Scarce what : Scarce.values()) {
      levels.put(what, 0L);
      pressure.watch(what, () -> levels.get(what), AT);
    }
  }

  /** Work that ends when the test says so. */
  private static final class Work implements Relief {
    private final List<CompletionPort<Unit>> placings = new ArrayList<>();
    private final List<CompletionPort<Unit>> checkpoints = new ArrayList<>();
    private int placingsBegun;
    private int checkpointsBegun;
    private int lifted;

    @Override
    public void place(CompletionPort<Unit> port) {
      placingsBegun++;
      placings.add(port);
    }

    @Override
    public boolean isPlacing() {
      return !placings.isEmpty();
    }

    @Override
    public void checkpoint(CompletionPort<Unit> port) {
      checkpointsBegun++;
      checkpoints.add(port);
    }

    @Override
    public boolean isCheckpointing() {
      return !checkpoints.isEmpty();
    }

    @Override
    public void lift() {
      lifted++;
    }
  }

  /** So much of something: whoever gets it takes it. */
  private final class Want implements Need<Unit> {
    private final Scarce what;
    private final long amount;
    private boolean coming;
    private int sought;

    Want(Scarce what, long amount) {
      this.what = what;
      this.amount = amount;
    }

    @Override
    public @Nullable Unit take(boolean placed) {
      if (amount > pressure.left(what)) {
        return null;
      }
      levels.merge(what, amount, Long::sum);
      return Unit.UNIT;
    }

    @Override
    public void seek() {
      sought++;
      if (what == Scarce.UNPLACED) {
        pressure.placingWanted();
      }
    }

    @Override
    public boolean isComing() {
      return coming;
    }

    @Override
    public Failure refusal(@Nullable Failure failure) {
      return failure == null ? FULL : failure;
    }

    @Override
    public long timeoutNanos() {
      return what == Scarce.COPIES ? 5_000_000 : Long.MAX_VALUE;
    }
  }

  private Want await(String who, Scarce what, long amount) {
    Want want = new Want(what, amount);
    await(who, want);
    return want;
  }

  private void await(String who, Want want) {
    pressure.await(
        want.what,
        want,
        completion ->
            heard.add(
                who
                    + (completion instanceof Completion.Failed<Unit>(Failure why)
                        ? " " + why.getClass().getSimpleName()
                        : "")));
  }

  private void turn() {
    world.dispatcher().turn(false);
  }

  private void endCheckpoint(Completion<Unit> completion) {
    work.checkpoints.removeFirst().complete(completion);
    pressure.checkpointEnded();
    turn();
  }

  private void endPlacing(Completion<Unit> completion) {
    work.placings.removeFirst().complete(completion);
    turn();
  }

  private PressureCounters counters(Scarce what) {
    return pressure.counters().get(what.ordinal());
  }

  @Test
  void whoFindsRoomDoesNotWait() {
    await("one", Scarce.LOG, 20);
    assertEquals(List.of(), heard, "told within the call");
    turn();
    assertEquals(List.of("one"), heard);
    assertEquals(new PressureCounters(Scarce.LOG, 20, AT, 0, 0, 0), counters(Scarce.LOG));
  }

  @Test
  void servedInTheOrderInWhichTheyCameAndOnlyPassedForSomethingElse() {
    levels.put(Scarce.LOG, 20L);
    levels.put(Scarce.SPACE, 20L);
    await("large", Scarce.LOG, 10);
    await("small", Scarce.LOG, 1);
    await("other", Scarce.SPACE, 1);
    levels.put(Scarce.LOG, 15L);
    levels.put(Scarce.SPACE, 15L);
    pressure.changed(Scarce.LOG);
    pressure.changed(Scarce.SPACE);
    turn();
    assertEquals(List.of("other"), heard);
    await("third", Scarce.LOG, 1);
    turn();
    assertEquals(List.of("other"), heard, "has passed one who waits for the same");
    levels.put(Scarce.LOG, 9L);
    pressure.changed(Scarce.LOG);
    turn();
    assertEquals(List.of("other", "large", "small"), heard, "each takes before the next looks");
    assertEquals(1, counters(Scarce.LOG).waiting());
    assertEquals(3, counters(Scarce.LOG).waited());
  }

  @Test
  void manyAreToldInSeveralUpcalls() {
    levels.put(Scarce.LOG, 20L);
    IntStream.range(0, 200).forEach(i -> await("" + i, Scarce.LOG, 0));
    turn();
    assertEquals(200, heard.size());
    heard.clear();
    IntStream.range(0, 200).forEach(i -> await("" + i, Scarce.LOG, 1));
    levels.put(Scarce.LOG, -1000L);
    long before = world.dispatcher().metrics().upcalls();
    pressure.changed(Scarce.LOG);
    world.runUntilIdle();
    assertEquals(IntStream.range(0, 200).mapToObj(i -> "" + i).toList(), heard);
    assertEquals(4, world.dispatcher().metrics().upcalls() - before);
  }

  @Test
  void givesUpAfterTwoRoundsUnlessMoreComes() {
    levels.put(Scarce.SPACE, 20L);
    Want first = await("first", Scarce.SPACE, 1);
    pressure.checkpointWanted();
    endCheckpoint(Completion.done());
    await("second", Scarce.SPACE, 1);
    assertEquals(2, first.sought, "is looked for again after each round");
    first.coming = true;
    pressure.checkpointWanted();
    endCheckpoint(Completion.done());
    assertEquals(List.of(), heard, "more was to come");
    first.coming = false;
    pressure.changed(Scarce.SPACE);
    turn();
    assertEquals(List.of("first VolumeFull"), heard, "the second has seen one round only");
    pressure.checkpointWanted();
    endCheckpoint(Completion.done());
    assertEquals(List.of("first VolumeFull", "second VolumeFull"), heard);
    assertEquals(2, counters(Scarce.SPACE).refused());
  }

  @Test
  void whereNothingCanBePlacedACheckpointMakesRoomFirst() {
    levels.put(Scarce.UNPLACED, 21L);
    await("one", Scarce.UNPLACED, 0);
    await("two", Scarce.UNPLACED, 0);
    assertEquals(1, work.placingsBegun, "one round for all");
    endPlacing(Completion.failed(BUSY));
    assertEquals(1, work.checkpointsBegun);
    endCheckpoint(Completion.done());
    endPlacing(Completion.failed(BUSY));
    endCheckpoint(Completion.done());
    assertEquals(List.of(), heard, "the log was full: that ends");
    assertEquals(3, work.placingsBegun);
    endPlacing(Completion.failed(FULL));
    endCheckpoint(Completion.done());
    assertEquals(List.of(), heard, "one round in vain");
    endPlacing(Completion.failed(FULL));
    endCheckpoint(Completion.done());
    assertEquals(List.of("one VolumeFull", "two VolumeFull"), heard);
    assertEquals(4, work.placingsBegun);
  }

  @Test
  void whatCannotBeReadIsNoReasonToGiveUpWhileTheRestIsPlaced() {
    levels.put(Scarce.UNPLACED, 40L);
    await("one", Scarce.UNPLACED, 0);
    levels.put(Scarce.UNPLACED, 30L);
    endPlacing(Completion.failed(new Failure.Device("reading", "block 7")));
    assertEquals(0, work.checkpointsBegun);
    levels.put(Scarce.UNPLACED, 20L);
    endPlacing(Completion.done());
    assertEquals(List.of("one"), heard);
  }

  @Test
  void waitsNoLongerThanItsTime() {
    levels.put(Scarce.COPIES, 20L);
    await("one", Scarce.COPIES, 1);
    world.runUntilIdle();
    assertEquals(List.of("one VolumeFull"), heard);
    assertEquals(5_000_000, world.clock().monotonicNanos());
    levels.put(Scarce.COPIES, 20L);
    await("two", Scarce.COPIES, 1);
    levels.put(Scarce.COPIES, 0L);
    pressure.changed(Scarce.COPIES);
    world.runUntilIdle();
    assertEquals(List.of("one VolumeFull", "two"), heard);
  }

  @Test
  void levelsCallForWork() {
    levels.put(Scarce.UNPLACED, 4L);
    levels.put(Scarce.PAGES, 9L);
    pressure.look();
    assertEquals(0, work.placingsBegun + work.checkpointsBegun);
    levels.put(Scarce.FRAMES, 10L);
    pressure.look();
    assertEquals(1, work.placingsBegun, "somebody waits for memory");
    levels.put(Scarce.UNPLACED, 10L);
    pressure.look();
    assertEquals(1, work.placingsBegun, "it is under way");
    levels.put(Scarce.PAGES, 10L);
    pressure.look();
    pressure.look();
    assertEquals(1, work.checkpointsBegun);
    endCheckpoint(Completion.done());
    levels.put(Scarce.PAGES, 0L);
    levels.put(Scarce.SPACE, 9L);
    pressure.look();
    assertEquals(1, work.checkpointsBegun);
    levels.put(Scarce.SPACE, 10L);
    pressure.look();
    assertEquals(2, work.checkpointsBegun, "before somebody waits");
  }

  @Test
  void whatACheckpointWouldPlaceIsPlacedWhenItIsHalfWayDue() {
    for (Scarce what : Scarce.values()) {
      levels.put(what, 4L);
    }
    levels.put(Scarce.PAGES, 9L);
    pressure.look();
    levels.put(Scarce.UNPLACED, 5L);
    pressure.look();
    assertEquals(0, work.placingsBegun, "nothing is half-way due");
    for (Scarce what : List.of(Scarce.LOG, Scarce.SPACE)) {
      int before = work.placingsBegun;
      levels.put(what, 5L);
      levels.put(Scarce.UNPLACED, 4L);
      pressure.look();
      assertEquals(before, work.placingsBegun, () -> "too little for " + what);
      levels.put(Scarce.UNPLACED, 5L);
      pressure.look();
      pressure.look();
      assertEquals(before + 1, work.placingsBegun, what::label);
      endPlacing(Completion.done());
      levels.put(what, 4L);
    }
    assertEquals(0, work.checkpointsBegun);
    pressure.watch(Scarce.UNPLACED, () -> 1023, new Thresholds(4000, 6000, 8000));
    levels.put(Scarce.LOG, 5L);
    pressure.look();
    pressure.watch(Scarce.UNPLACED, () -> 1024, new Thresholds(4000, 6000, 8000));
    pressure.look();
    assertEquals(3, work.placingsBegun, "one write's worth, however much there may be");
  }

  @Test
  void isUrgentWhileSomebodyWaitsOrALevelSaysSo() {
    for (Scarce what : Scarce.values()) {
      assertFalse(pressure.isUrgent(), what::label);
      levels.put(what, 15L);
      assertTrue(pressure.isUrgent(), what::label);
      levels.put(what, 0L);
    }
    assertEquals(IoClass.BACKGROUND, pressure.ioClass());
    pressure.look();
    pressure.checkpointWanted();
    pressure.look();
    assertEquals(0, work.lifted);
    levels.put(Scarce.LOG, 15L);
    pressure.look();
    assertEquals(1, work.lifted, "what rests goes on");
    levels.put(Scarce.LOG, 20L);
    await("one", Scarce.LOG, 1);
    assertEquals(2, work.lifted);
    levels.put(Scarce.LOG, 0L);
    assertEquals(IoClass.FOREGROUND_WRITE, pressure.ioClass(), "somebody waits");
    pressure.changed(Scarce.LOG);
    turn();
    assertEquals(IoClass.BACKGROUND, pressure.ioClass());
  }

  @Test
  void aCheckpointThatFailedIsTriedAgainUntilTheStoreCloses() {
    pressure.checkpointWanted();
    pressure.checkpointWanted();
    assertEquals(1, work.checkpointsBegun);
    endCheckpoint(Completion.failed(FULL));
    assertEquals(1, work.checkpointsBegun, "at once");
    world.runUntilIdle();
    assertEquals(2, work.checkpointsBegun);
    endCheckpoint(Completion.failed(FULL));
    pressure.close();
    world.runUntilIdle();
    assertEquals(2, work.checkpointsBegun, "while it closes");
    pressure.checkpointWanted();
    assertEquals(3, work.checkpointsBegun, "the closing itself needs one");
  }

  @Test
  void whenNobodyMakesRoomAnyMoreOnlyWhatIsThereIsGiven() {
    levels.put(Scarce.LOG, 15L);
    await("small", Scarce.LOG, 5);
    turn();
    await("large", Scarce.LOG, 1);
    levels.put(Scarce.SPACE, 20L);
    await("full", Scarce.SPACE, 1);
    levels.put(Scarce.LOG, 15L);
    pressure.stop(new Failure.ReadOnly("a sync failed"));
    turn();
    assertEquals(List.of("small", "large", "full ReadOnly"), heard);
    await("later", Scarce.SPACE, 1);
    pressure.look();
    pressure.checkpointWanted();
    pressure.placingWanted();
    turn();
    assertEquals(List.of("small", "large", "full ReadOnly", "later ReadOnly"), heard);
    assertEquals(0, work.checkpointsBegun + work.placingsBegun);
  }

  @Test
  void theTable() {
    assertEquals(new Thresholds(16, 24, 56), Thresholds.ofLog(64));
    assertEquals(new Thresholds(1, 1, 2), Thresholds.ofLog(3));
    assertEquals(8, Thresholds.ofLog(64).halfWay());
    assertEquals(1, Thresholds.ofLog(3).halfWay(), "nothing is due of nothing");
    assertEquals(new Thresholds(256, 384, 512), Thresholds.ofUnplaced(1024));
    assertEquals(new Thresholds(1, 1, 2), Thresholds.ofUnplaced(1));
    assertEquals(new Thresholds(33, 50, Long.MAX_VALUE), Thresholds.ofSpace());
    assertEquals(512, Thresholds.ofCopies(1024).limit());
    assertEquals(new Thresholds(500, 750, 1000), Thresholds.ofDirtyPages(1000));
    assertEquals(new Thresholds(64, 64, 128), Thresholds.ofDirtyPages(16));
  }
}
