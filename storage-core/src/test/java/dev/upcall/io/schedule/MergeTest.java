package dev.upcall.io.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.elevator.DeadlinePolicy;
import dev.upcall.io.elevator.ElevatorConfig;
import dev.upcall.io.elevator.NoopPolicy;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Requests that follow each other go to the device as one. */
class MergeTest {
  private static final int BLOCKS = 4096;

  /** The answers to writes are kept from here on. */
  private static final long WRITTEN = 10_000;

  private final SimWorld world =
      new SimWorld(1, SimDiskConfig.ofBlocks(BLOCKS).withLatency(100_000, 100_000))
          .closesUnchecked("the blocks are no store's");
  private final List<TraceEntry> issued = new ArrayList<>();
  private final TreeMap<Long, Completion<Unit>> answers = new TreeMap<>();
  private IoScheduler disk = disk(MergeConfig.DEFAULT);
  private int asked;

  /** One request at a time goes to the device. */
  private IoScheduler disk(MergeConfig merging) {
    TracedDisk traced = new TracedDisk(world.disk(), world.dispatcher(), issued::add);
    ElevatorConfig config = ElevatorConfig.linux(/* depth= */ 1, 1000);
    SchedulingPolicy policy = new DeadlinePolicy(config, world.dispatcher()::upcallNanos);
    return new IoScheduler(traced, world.dispatcher(), policy, merging);
  }

  private CompletionPort<Unit> port(long block) {
    asked++;
    return completion -> assertEquals(null, answers.put(block, completion));
  }

  private static ByteBuffer filled(int blocks, int with) {
    ByteBuffer buffer = Disk.newBuffer(blocks * Disk.BLOCK_BYTES);
    for (int i = 0; i < buffer.capacity(); i++) {
      buffer.put(i, (byte) with);
    }
    return buffer;
  }

  private ByteBuffer read(long block, int blocks) {
    ByteBuffer into = filled(blocks, -1);
    disk.submit(new DiskRequest.Read(block, List.of(into), IoClass.FOREGROUND_READ, port(block)));
    return into;
  }

  private void write(long block, int blocks, int with) {
    disk.submit(
        new DiskRequest.Write(
            block, List.of(filled(blocks, with)), IoClass.BACKGROUND, port(WRITTEN + block)));
  }

  /** Keeps the device busy, so that what comes next meets. */
  private void busy() {
    disk.submit(new DiskRequest.Read(4000, List.of(filled(1, 0)), IoClass.LOG, port(4000)));
  }

  private void untilAllAreAnswered() {
    assertTrue(world.runUntil(() -> answers.size() == asked));
  }

  private List<TraceEntry.Run> runs() {
    return issued.stream().skip(1).map(TraceEntry::run).toList();
  }

  @Test
  void writesBehindAndBeforeEachOtherAreOneAndEachReaderGetsHis() {
    busy();
    write(12, 2, 12);
    write(14, 1, 14);
    write(10, 2, 10);
    write(9, 1, 9);
    untilAllAreAnswered();
    assertEquals(List.of(new TraceEntry.Run(9, 6)), runs());
    assertEquals(4, issued.getLast().source().parts());
    answers.clear();
    asked = 0;
    issued.clear();
    busy();
    ByteBuffer last = read(14, 1);
    ByteBuffer first = read(9, 1);
    ByteBuffer middle = read(10, 4);
    untilAllAreAnswered();
    assertEquals(2, runs().size(), "a request is put to one neighbour, two of them do not meet");
    assertEquals(9, first.get(0));
    assertEquals(10, middle.get(0));
    assertEquals(12, middle.get(2 * Disk.BLOCK_BYTES));
    assertEquals(14, last.get(0));
  }

  @Test
  void nothingGrowsBeyondTheLimit() {
    busy();
    for (int i = 0; i < 20; i++) {
      read(i * 16L, 16);
    }
    untilAllAreAnswered();
    assertEquals(
        List.of(
            new TraceEntry.Run(0, 128), new TraceEntry.Run(128, 128), new TraceEntry.Run(256, 64)),
        runs());
  }

  @Test
  void onlyEqualsAreMerged() {
    busy();
    read(10, 1);
    write(11, 1, 1);
    disk.submit(
        new DiskRequest.DurableWrite(12, List.of(filled(1, 2)), IoClass.BACKGROUND, port(12)));
    disk.submit(
        new DiskRequest.Write(13, List.of(filled(1, 3)), IoClass.FOREGROUND_WRITE, port(13)));
    disk.submit(new DiskRequest.Discard(14, 1, IoClass.BACKGROUND, port(14)));
    disk.submit(new DiskRequest.Discard(15, 1, IoClass.BACKGROUND, port(15)));
    disk.submit(new DiskRequest.Allocate(16, 1, IoClass.BACKGROUND, port(16)));
    disk.submit(new DiskRequest.Allocate(17, 1, IoClass.BACKGROUND, port(17)));
    disk.submit(new DiskRequest.Sync(IoClass.LOG, port(0)));
    disk.submit(new DiskRequest.Sync(IoClass.LOG, port(1)));
    untilAllAreAnswered();
    assertEquals(10, runs().size());
    assertTrue(issued.stream().allMatch(entry -> entry.source().parts() == 1));
  }

  @Test
  void theFrontCanBeLeftOut() {
    disk = disk(new MergeConfig(512 << 10, /* front= */ false));
    busy();
    read(12, 1);
    read(11, 1);
    read(13, 1);
    untilAllAreAnswered();
    assertEquals(List.of(new TraceEntry.Run(11, 1), new TraceEntry.Run(12, 2)), runs());
  }

  @Test
  void noopMergesWithTheLastOnly() {
    TracedDisk traced = new TracedDisk(world.disk(), world.dispatcher(), issued::add);
    disk = new IoScheduler(traced, world.dispatcher(), new NoopPolicy(1), MergeConfig.DEFAULT);
    busy();
    read(10, 1);
    read(11, 1);
    read(50, 1);
    read(12, 1);
    read(49, 1);
    untilAllAreAnswered();
    assertEquals(
        List.of(
            new TraceEntry.Run(10, 2),
            new TraceEntry.Run(50, 1),
            new TraceEntry.Run(12, 1),
            new TraceEntry.Run(49, 1)),
        runs());
  }

  @Test
  void nobodyFailsForANeighbour() {
    write(0, 64, 5);
    untilAllAreAnswered();
    answers.clear();
    asked = 0;
    issued.clear();
    world.disk().breakBlock(21);
    busy();
    ByteBuffer[] into = new ByteBuffer[4];
    for (int i = 0; i < 4; i++) {
      into[i] = read(20 + i, 1);
    }
    List<Completion<Unit>> closed = new ArrayList<>();
    disk.close(closed::add);
    untilAllAreAnswered();
    assertEquals(5, runs().size(), "the whole, then its parts");
    assertInstanceOf(Completion.Failed.class, answers.get(21L));
    for (long block : new long[] {20, 22, 23}) {
      assertInstanceOf(Completion.Done.class, answers.get(block));
      assertEquals(5, into[(int) block - 20].get(0));
    }
    assertTrue(world.runUntil(() -> closed.size() == 1));
  }

  @Test
  void whatFollowsAFailedWholeWaitsForAllItsParts() {
    write(0, 64, 5);
    untilAllAreAnswered();
    answers.clear();
    asked = 0;
    issued.clear();
    world.disk().breakBlock(21);
    busy();
    ByteBuffer first = read(20, 1);
    read(21, 1);
    ByteBuffer third = read(22, 1);
    write(20, 1, 9);
    disk.submit(new DiskRequest.Shrink(22, IoClass.BACKGROUND, port(-1)));
    untilAllAreAnswered();
    assertEquals(5, first.get(0));
    assertEquals(5, third.get(0), "it was asked for before the end was cut off");
    assertEquals(22, disk.sizeBlocks());
  }

  @Test
  void whatWaitsForANeighbourIsLiftedToo() {
    busy();
    read(30, 1);
    write(30, 1, 1);
    assertEquals(2, disk.waiting());
    disk.lift();
    untilAllAreAnswered();
    assertEquals(IoClass.FOREGROUND_WRITE, issued.getLast().ioClass());
  }
}
