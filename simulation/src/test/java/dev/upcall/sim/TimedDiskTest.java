package dev.upcall.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.sim.drive.DriveConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The device without contents takes the time of the one with contents. */
class TimedDiskTest {
  private static final long BLOCKS = 8_000;
  private static final int READS = 200;

  private final List<Completion<Unit>> completions = new ArrayList<>();
  private final List<ByteBuffer> block = List.of(Disk.newBuffer(Disk.BLOCK_BYTES));

  private SimWorld world() {
    SimDiskConfig config = SimDiskConfig.ofBlocks(BLOCKS).withCapacity(BLOCKS);
    return new SimWorld(1, config.withService(DriveConfig.fast15k(BLOCKS)))
        .closesUnchecked("it holds nothing");
  }

  private TimedDisk timed(SimWorld world) {
    return new TimedDisk(
        "timed",
        BLOCKS,
        world.dispatcher(),
        DriveConfig.fast15k(BLOCKS).start(world.reactor(), world.clock(), new SplittableRandom(1)));
  }

  /** When so many random reads, one after the other, are done. */
  private long nanos(SimWorld world, Disk disk) {
    SplittableRandom places = new SplittableRandom(4);
    for (int i = 0; i < READS; i++) {
      long at = places.nextLong(BLOCKS);
      List<ByteBuffer> into = List.of(Disk.newBuffer(Disk.BLOCK_BYTES));
      assertInstanceOf(
          Completion.Done.class,
          world.<Unit>await(
              port -> disk.submit(new DiskRequest.Read(at, into, IoClass.FOREGROUND_READ, port))));
    }
    return world.clock().monotonicNanos();
  }

  @Test
  void itTakesTheTimeOfTheSimulatedDisk() {
    SimWorld first = world();
    SimWorld second = world();
    TimedDisk timed = timed(second);
    assertEquals(nanos(first, first.disk()), nanos(second, timed));
    assertTrue(timed.counters().inFlight() == 0, "all are done");
  }

  @Test
  void whatIsOutsideOrTooLateFails() {
    SimWorld world = world();
    TimedDisk timed = timed(world);
    timed.submit(new DiskRequest.Write(BLOCKS, block, IoClass.LOG, completions::add));
    world.runUntilIdle();
    assertInstanceOf(Completion.Failed.class, completions.getLast());
    timed.submit(new DiskRequest.Write(0, block, IoClass.LOG, completions::add));
    timed.close(completions::add);
    timed.submit(new DiskRequest.Sync(IoClass.LOG, completions::add));
    world.runUntilIdle();
    assertEquals(4, completions.size());
    Completion<Unit> refused = completions.get(1);
    assertInstanceOf(
        Failure.Closed.class, ((Completion.Failed<Unit>) refused).failure(), "refused at once");
    assertInstanceOf(Completion.Done.class, completions.get(2), "the write that was in flight");
    assertInstanceOf(Completion.Done.class, completions.get(3), "then the close");
  }
}
