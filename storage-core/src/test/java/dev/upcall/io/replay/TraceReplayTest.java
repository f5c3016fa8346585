package dev.upcall.io.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import dev.upcall.io.schedule.Dispatch;
import dev.upcall.io.schedule.IoPolicyConfig;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.SchedulingPolicy;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.SimWorld;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceReplayTest {
  private static final long BLOCKS = 4096;
  private static final ReplayConfig.Scale AS_IS = new ReplayConfig.Scale(BLOCKS, BLOCKS);
  private static final DiskOperation[] KINDS = {
    DiskOperation.READ,
    DiskOperation.WRITE,
    DiskOperation.DURABLE_WRITE,
    DiskOperation.SYNC,
    DiskOperation.ALLOCATE,
    DiskOperation.DISCARD
  };

  private final SimWorld world =
      SimWorld.ofBlocks(7, BLOCKS).closesUnchecked("the blocks are no store's");
  private final List<TraceEntry> sent = new ArrayList<>();

  private static TraceEntry entry(long nanos, DiskOperation operation, long block, long blocks) {
    return entry(nanos, operation, IoClass.FOREGROUND_READ, block, blocks);
  }

  private static TraceEntry entry(
      long nanos, DiskOperation operation, IoClass ioClass, long block, long blocks) {
    boolean isSync = operation == DiskOperation.SYNC;
    return new TraceEntry(
        nanos,
        operation,
        ioClass,
        new TraceEntry.Run(isSync ? 0 : block, isSync ? 0 : blocks),
        new TraceEntry.Source(9, 1, 0));
  }

  private static List<TraceEntry> trace(int entries) {
    SplittableRandom random = new SplittableRandom(11);
    List<TraceEntry> trace = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      trace.add(
          entry(
              5_000_000L * i,
              KINDS[random.nextInt(KINDS.length)],
              random.nextLong(BLOCKS - 16),
              1 + random.nextInt(16)));
    }
    return trace;
  }

  private void allocate() {
    world.<Unit>get(
        port ->
            world
                .disk()
                .submit(
                    new dev.upcall.io.DiskRequest.Allocate(0, BLOCKS, IoClass.BACKGROUND, port)));
  }

  private TraceReplay replay(ReplayConfig config) {
    allocate();
    Disk disk = new TracedDisk(world.disk(), world.dispatcher(), sent::add);
    Disk ordered = IoPolicyConfig.parse("noop,merge=0,depth=64").over(disk, world.dispatcher());
    return new TraceReplay(world.dispatcher(), ordered, config);
  }

  private ReplayCounts play(TraceReplay replay, List<TraceEntry> trace) {
    world.<Unit>get(port -> replay.feed(trace, port));
    return world.get(replay::finish);
  }

  private static List<TraceEntry> played(List<TraceEntry> trace) {
    return trace.stream().filter(entry -> entry.operation() != DiskOperation.ALLOCATE).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void allIsPlayedInItsOrderAsFastAsItGoes(int depth) {
    List<TraceEntry> trace = trace(500);
    ReplayCounts counts = play(replay(new ReplayConfig(0, depth, true, AS_IS)), trace);
    List<TraceEntry> expected = played(trace);
    assertEquals(inOrder(expected, depth == 1), inOrder(sent, depth == 1));
    assertTrue(sent.stream().allMatch(entry -> entry.source().asker() == 9));
    assertEquals(expected.size(), counts.played());
    assertEquals(expected.size(), counts.done());
    assertEquals(trace.size() - expected.size(), counts.skipped());
    assertEquals("", counts.failure());
    assertEquals(
        counts.done(), counts.reads().count() + counts.writes().count() + counts.others().count());
  }

  /** Of those at the disk at once, requests for the same blocks wait for each other. */
  private static List<String> inOrder(List<TraceEntry> entries, boolean isKept) {
    Stream<String> words = entries.stream().map(entry -> entry.operation() + " " + entry.run());
    return isKept ? words.toList() : words.sorted().toList();
  }

  private List<TraceEntry.Run> runs() {
    return sent.stream().map(TraceEntry::run).toList();
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 4})
  void entriesAreSentAtTheirTimes(double speed) {
    List<TraceEntry> trace = trace(200);
    ReplayCounts counts = play(replay(new ReplayConfig(speed, 64, true, AS_IS)), trace);
    List<TraceEntry> expected = played(trace);
    long began = sent.getFirst().timeNanos();
    for (int i = 0; i < expected.size(); i++) {
      long due = (long) ((expected.get(i).timeNanos() - expected.getFirst().timeNanos()) / speed);
      assertEquals(due, sent.get(i).timeNanos() - began, 100_000, "entry " + i);
    }
    assertTrue(counts.tookNanos() >= 5_000_000L * 190 / speed);
    assertTrue(counts.lateNanos().max() <= 100_000);
  }

  @Test
  void aLargerDeviceIsFoldedOntoTheOneThatThereIs() {
    List<TraceEntry> trace = new ArrayList<>();
    for (long block = 0; block < 100 * BLOCKS; block += BLOCKS / 2) {
      trace.add(entry(0, DiskOperation.READ, block, 20));
    }
    ReplayConfig.Scale folded = new ReplayConfig.Scale(100 * BLOCKS, BLOCKS);
    ReplayCounts counts = play(replay(new ReplayConfig(0, 4, true, folded)), trace);
    assertEquals(trace.size(), counts.done());
    assertEquals("", counts.failure());
    assertTrue(runs().stream().allMatch(run -> run.blocks() == 20 && run.end() <= BLOCKS));
    assertEquals(BLOCKS / 2, runs().get(100).block(), "half of the device");
  }

  @Test
  void whatIsTooLargeForOneRequestGoesInParts() {
    ReplayCounts counts =
        play(
            replay(new ReplayConfig(0, 4, true, AS_IS)),
            List.of(entry(0, DiskOperation.WRITE, 3, 600)));
    assertEquals(
        List.of(
            new TraceEntry.Run(3, 256), new TraceEntry.Run(259, 256), new TraceEntry.Run(515, 88)),
        runs());
    assertEquals(1, counts.done());
  }

  @Test
  void nothingIsWrittenWhereOnlyReadsArePlayed() {
    List<TraceEntry> trace = trace(100);
    ReplayCounts counts = play(replay(new ReplayConfig(0, 4, false, AS_IS)), trace);
    assertTrue(sent.stream().allMatch(entry -> entry.operation() == DiskOperation.READ));
    assertEquals(sent.size(), counts.played());
    assertEquals(trace.size() - sent.size(), counts.skipped());
  }

  @Test
  void whatFailsIsCountedAndSaid() {
    ReplayCounts counts =
        play(
            replay(new ReplayConfig(0, 4, true, AS_IS)),
            List.of(
                entry(0, DiskOperation.READ, BLOCKS + 10, 1), entry(0, DiskOperation.READ, 1, 1)));
    assertEquals(2, counts.done());
    assertEquals(1, counts.failed());
    assertTrue(!counts.failure().isEmpty());
  }

  @Test
  void oneThatIsStoppedAwaitsWhatWasSentAndKeepsWhatWasMeasured() {
    TraceReplay replay = replay(new ReplayConfig(1, 64, true, AS_IS));
    List<TraceEntry> trace = trace(10_000);
    boolean[] fed = {false};
    replay.feed(trace, completion -> fed[0] = completion instanceof Completion.Done<Unit>);
    assertTrue(world.runUntil(() -> sent.size() >= 50));
    assertTrue(!fed[0], "no more is wanted yet");
    replay.stop();
    ReplayCounts counts = world.get(replay::finish);
    assertTrue(fed[0]);
    assertEquals(counts.played(), counts.done());
    assertTrue(counts.done() >= 50 && counts.done() < 100);
  }

  /** First come, first served, but for the background, which rests until somebody lifts it. */
  private static final class Resting implements SchedulingPolicy {
    private final ArrayDeque<Dispatch> ready = new ArrayDeque<>();
    private final ArrayDeque<Dispatch> resting = new ArrayDeque<>();
    private int lifts;

    @Override
    public void add(Dispatch dispatch) {
      (dispatch.ioClass() == IoClass.BACKGROUND ? resting : ready).addLast(dispatch);
    }

    @Override
    public @Nullable Dispatch next() {
      return ready.pollFirst();
    }

    @Override
    public void completed(Dispatch dispatch) {}

    @Override
    public int waiting() {
      return ready.size() + resting.size();
    }

    @Override
    public void lift() {
      lifts++;
      ready.addAll(resting);
      resting.clear();
    }
  }

  /** Of each four entries 1 ms apart, so many of the background; none at the end. */
  private static List<TraceEntry> mixed(int background) {
    List<TraceEntry> trace = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      boolean rests = i % 4 < background && i < 90;
      trace.add(
          entry(
              1_000_000L * i,
              rests ? DiskOperation.WRITE : DiskOperation.READ,
              rests ? IoClass.BACKGROUND : IoClass.FOREGROUND_READ,
              10L * i,
              1));
    }
    return trace;
  }

  /** Plays until all has been sent; how often the background was lifted up to there. */
  private int liftsOf(ReplayConfig config, List<TraceEntry> trace) {
    Resting policy = new Resting();
    allocate();
    Disk scheduled = new IoScheduler(world.disk(), world.dispatcher(), policy);
    TraceReplay replay = new TraceReplay(world.dispatcher(), scheduled, config);
    world.<Unit>get(port -> replay.feed(trace, port));
    assertTrue(world.runUntil(() -> replay.counts().played() == trace.size()), "it stands still");
    int lifts = policy.lifts;
    scheduled.lift();
    assertEquals(trace.size(), world.get(replay::finish).done());
    return lifts;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void backgroundThatOthersWaitForIsLifted(int background) {
    assertTrue(liftsOf(new ReplayConfig(0, 4, true, AS_IS), mixed(background)) > 10);
    assertTrue(liftsOf(new ReplayConfig(10, 4, true, AS_IS), mixed(background)) > 10);
  }

  @Test
  void backgroundThatNobodyWaitsForRests() {
    assertEquals(0, liftsOf(new ReplayConfig(1, 128, true, AS_IS), mixed(2)));
  }

  @Test
  void limitsAreNamed() {
    assertThrows(IllegalArgumentException.class, () -> new ReplayConfig(-1, 1, true, AS_IS));
    assertThrows(IllegalArgumentException.class, () -> new ReplayConfig(1, 2000, true, AS_IS));
    assertThrows(IllegalArgumentException.class, () -> new ReplayConfig.Scale(0, 1));
  }
}
