package dev.upcall.io.elevator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.schedule.Anticipation;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.MergeConfig;
import dev.upcall.io.schedule.SchedulingPolicy;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In which order the policies that know where blocks are send what waits, and when they wait. */
class ElevatorTest {
  private static final long SERVICE_NANOS = 1_000_000;
  private static final long FAR = 500_000;
  private static final ElevatorConfig CONFIG = ElevatorConfig.linux(/* depth= */ 1, 1000);

  private final SimWorld world =
      new SimWorld(1, SimDiskConfig.ofBlocks(1_000_000).withLatency(SERVICE_NANOS, SERVICE_NANOS))
          .closesUnchecked("the blocks are no store's");
  private final List<TraceEntry> issued = new ArrayList<>();
  private IoScheduler disk;
  private int open;

  private void use(SchedulingPolicy policy) {
    TracedDisk traced = new TracedDisk(world.disk(), world.dispatcher(), issued::add);
    disk = new IoScheduler(traced, world.dispatcher(), policy, MergeConfig.OFF);
  }

  private record Port(int asker, Runnable then) implements AskingPort {
    @Override
    public void complete(Completion<Unit> completion) {
      then.run();
    }
  }

  private void read(int asker, long block) {
    read(asker, block, () -> {});
  }

  private void read(int asker, long block, Runnable then) {
    disk.submit(
        new DiskRequest.Read(block, List.of(buffer()), IoClass.FOREGROUND_READ, port(asker, then)));
  }

  private void write(long block) {
    disk.submit(
        new DiskRequest.Write(
            block, List.of(buffer()), IoClass.FOREGROUND_WRITE, port(0, () -> {})));
  }

  private Port port(int asker, Runnable then) {
    open++;
    return new Port(
        asker,
        () -> {
          open--;
          then.run();
        });
  }

  private static ByteBuffer buffer() {
    return Disk.newBuffer(Disk.BLOCK_BYTES);
  }

  private void untilAllAreAnswered() {
    assertTrue(world.runUntil(() -> open == 0));
  }

  private List<Long> order() {
    return issued.stream().map(entry -> entry.run().block()).toList();
  }

  private void rest(long nanos) {
    boolean[] over = {false};
    world.dispatcher().schedule(nanos, () -> over[0] = true);
    assertTrue(world.runUntil(() -> over[0]));
  }

  // ------------------------------------------------------------------ deadline

  @Test
  void deadlineGoesUpwardsInBatchesAndReadsGoFirst() {
    use(new DeadlinePolicy(CONFIG, world.dispatcher()::upcallNanos));
    read(1, 500);
    write(10);
    write(20);
    for (long block : new long[] {900, 100, 700, 300}) {
      read(1, block);
    }
    untilAllAreAnswered();
    assertEquals(List.of(500L, 700L, 900L, 100L, 300L, 10L, 20L), order());
  }

  @Test
  void deadlineLetsWritesGoAfterTwoBatchesOfReads() {
    use(new DeadlinePolicy(CONFIG, world.dispatcher()::upcallNanos));
    read(1, 0);
    write(10);
    for (int i = 1; i < 60; i++) {
      read(1, 100 - i);
    }
    untilAllAreAnswered();
    // The first batch had begun; two more go ahead.
    assertEquals(16 + 2 * 16, order().indexOf(10L));
  }

  @Test
  void deadlineBeginsABatchWithWhoIsLate() {
    use(new DeadlinePolicy(CONFIG, world.dispatcher()::upcallNanos));
    read(1, 1000);
    read(1, 5);
    // Readers in front of the heads, for longer than a read may wait.
    for (int i = 0; i < 700; i++) {
      read(1, 2000 + i);
    }
    untilAllAreAnswered();
    int at = order().indexOf(5L);
    assertTrue(at >= 500 && at <= 500 + 17, "half a second is 500 reads, not " + at);
  }

  // ------------------------------------------------------------------ anticipatory

  private final TransitionCoverage coverage = new TransitionCoverage();

  /** One who reads block after block with short pauses, beside one who reads far away. */
  private void readersOnTwoPlaces(long thinkNanos, int reads) {
    readOn(1, 0, thinkNanos, reads);
    for (int i = 0; i < reads; i++) {
      read(2, FAR + 1000L * i);
    }
    untilAllAreAnswered();
  }

  private void readOn(int asker, long block, long thinkNanos, int reads) {
    open++;
    readNext(asker, block, thinkNanos, reads);
  }

  private void readNext(int asker, long block, long thinkNanos, int left) {
    if (left == 0) {
      open--;
      return;
    }
    read(
        asker,
        block,
        () ->
            world
                .dispatcher()
                .schedule(thinkNanos, () -> readNext(asker, block + 1, thinkNanos, left - 1)));
  }

  /** How often the heads went from one half of the disk to the other. */
  private long strokes() {
    long strokes = 0;
    for (int i = 1; i < issued.size(); i++) {
      boolean before = issued.get(i - 1).run().block() < FAR;
      boolean now = issued.get(i).run().block() < FAR;
      strokes += before == now ? 0 : 1;
    }
    return strokes;
  }

  @Test
  void anticipationKeepsTheHeadsWhereAReaderWillReadOn() {
    use(new AnticipatoryPolicy(CONFIG, world.dispatcher()));
    readersOnTwoPlaces(/* thinkNanos= */ 2_000_000, 40);
    assertTrue(strokes() <= 4, "went to and fro " + strokes() + " times");
  }

  @Test
  void whoThinksForLongIsNotWaitedFor() {
    use(new AnticipatoryPolicy(CONFIG, world.dispatcher()));
    readOn(1, 0, /* thinkNanos= */ 15_000_000, /* reads= */ 10);
    untilAllAreAnswered();
    issued.clear();
    long begun = world.clock().monotonicNanos();
    read(1, 10);
    read(2, FAR);
    untilAllAreAnswered();
    assertEquals(begun + SERVICE_NANOS, issued.get(1).timeNanos());
  }

  @Test
  void anticipationEndsAfterItsTime() {
    use(new AnticipatoryPolicy(CONFIG, world.dispatcher()));
    read(1, 0);
    read(2, FAR);
    untilAllAreAnswered();
    assertEquals(SERVICE_NANOS + CONFIG.anticipatory().waitNanos(), issued.get(1).timeNanos());
  }

  @Test
  void nobodyInParticularIsNotWaitedFor() {
    use(new AnticipatoryPolicy(CONFIG, world.dispatcher()));
    read(0, 0);
    read(0, FAR);
    untilAllAreAnswered();
    assertEquals(SERVICE_NANOS, issued.get(1).timeNanos());
  }

  @Test
  void everyTransitionOfTheAnticipationHappens() {
    use(new AnticipatoryPolicy(ElevatorConfig.linux(/* depth= */ 2, 1000), world.dispatcher()));
    // With room for a second one the policy waits before the first is answered.
    read(1, 0);
    read(2, FAR);
    read(1, 1);
    untilAllAreAnswered();
    read(1, 2);
    read(2, FAR);
    untilAllAreAnswered();
    rest(10 * SERVICE_NANOS);
    read(3, 10);
    read(2, FAR);
    untilAllAreAnswered();
    coverage.add(world.dispatcher().recorder());
    coverage.assertAllTaken(Anticipation.TRANSITIONS);
  }

  // ------------------------------------------------------------------ CFQ

  @Test
  void cfqGivesEachAskerItsSlice() {
    use(new CfqPolicy(CONFIG, world.dispatcher()));
    for (int i = 0; i < 300; i++) {
      read(1 + i % 3, FAR / 2 * (i % 3) + i);
    }
    untilAllAreAnswered();
    assertEquals(2, changes(), "100 ms are enough for the 100 reads of each");
  }

  private long changes() {
    long changes = 0;
    for (int i = 1; i < issued.size(); i++) {
      changes += issued.get(i).source().asker() == issued.get(i - 1).source().asker() ? 0 : 1;
    }
    return changes;
  }

  @Test
  void cfqWaitsForWhoReadsOn() {
    use(new CfqPolicy(CONFIG, world.dispatcher()));
    readersOnTwoPlaces(/* thinkNanos= */ 2_000_000, 30);
    assertEquals(1, strokes());
  }

  @Test
  void cfqSharesTheTimeBetweenSlicesOfWritesAndReads() {
    use(new CfqPolicy(CONFIG, world.dispatcher()));
    for (int i = 0; i < 200; i++) {
      write(10 + i);
      read(1, FAR + i);
    }
    untilAllAreAnswered();
    // A hundred reads go in a slice, sixteen writes in the other.
    assertEquals(5, strokes(), 2);
  }

  @Test
  void everyTransitionOfCompleteFairnessHappens() {
    use(new CfqPolicy(CONFIG, world.dispatcher()));
    readersOnTwoPlaces(/* thinkNanos= */ 2_000_000, 4);
    rest(200 * SERVICE_NANOS);
    read(1, 0);
    read(2, FAR);
    untilAllAreAnswered();
    coverage.add(world.dispatcher().recorder());
    coverage.assertAllTaken(CfqPolicy.TRANSITIONS);
  }

  // ------------------------------------------------------------------ knobs

  @Test
  void theKnobsAreThoseOfLinux() {
    ElevatorConfig at250 = ElevatorConfig.linux(4, 250);
    assertEquals(4_000_000, at250.anticipatory().waitNanos());
    assertEquals(6_000_000, ElevatorConfig.linux(4, 1000).anticipatory().waitNanos());
    assertEquals(10_000_000, ElevatorConfig.linux(4, 100).anticipatory().waitNanos());
    assertEquals(new ElevatorConfig.Deadline(500_000_000, 5_000_000_000L, 16, 2), at250.deadline());
    assertEquals(100_000_000, at250.cfq().sliceNanos());
    assertEquals(40_000_000, at250.cfq().otherSliceNanos());
    assertEquals(8_000_000, at250.cfq().idleNanos());
    assertEquals(124_000_000, at250.cfq().awaitedNanos());
    assertThrows(IllegalArgumentException.class, () -> ElevatorConfig.linux(0, 250));
    assertThrows(IllegalArgumentException.class, () -> ElevatorConfig.linux(4, 10));
  }

  @Test
  void thePagesOfTheMachinesAreFresh() {
    StateMachineDocs.check(Anticipation.TRANSITIONS, CfqPolicy.TRANSITIONS);
  }
}
