package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.io.schedule.FairShareConfig;
import dev.upcall.io.schedule.FairSharePolicy;
import dev.upcall.io.schedule.IoScheduler;
import dev.upcall.io.schedule.PacingConfig;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The background of a store on a disk from which others read without end. */
class PacedBackgroundTest {
  private static final int FILES = 60;
  private static final int READERS = 4;

  /** A store, and how its disk is used. */
  private static final class Machine {
    private final SimWorld world =
        new SimWorld(5, SimDiskConfig.ofBlocks(4096).withLatency(100_000, 100_000));
    private final Disk disk;
    private final StoreFixture fixture;
    private boolean readersStop;

    Machine(PacingConfig pacing) {
      StoreFixture.format(world);
      world.whenDiskCloses(survivor -> StoreFixture.recovered(survivor).end());
      FairShareConfig shares = FairShareConfig.defaults().withPacing(pacing);
      disk =
          new IoScheduler(
              world.disk(),
              world.dispatcher(),
              new FairSharePolicy(shares, world.dispatcher()::upcallNanos));
      fixture =
          StoreFixture.of(
              world,
              world.get(
                  port ->
                      Stores.open(world.dispatcher(), disk, StoreFixture.tinyOptions(5), port)));
    }

    /** Readers of the volume, each of which reads again when it has read. */
    void startReaders() {
      readersStop = false;
      for (int i = 0; i < READERS; i++) {
        read(i);
      }
    }

    private void read(int block) {
      disk.submit(
          new DiskRequest.Read(
              block,
              List.of(Disk.newBuffer(Disk.BLOCK_BYTES)),
              IoClass.FOREGROUND_READ,
              done -> {
                if (!readersStop) {
                  read(block);
                }
              }));
    }

    /** For so long that nobody remembers the reads of the opening. */
    void rest() {
      boolean[] over = new boolean[1];
      world.dispatcher().schedule(2 * PacingConfig.DEFAULT.windowNanos(), () -> over[0] = true);
      assertTrue(world.runUntil(() -> over[0]));
    }

    void putFiles() {
      for (int id = 1; id <= FILES; id++) {
        assertInstanceOf(Completion.Done.class, fixture.put(id, new byte[3000 + id]));
      }
    }

    long checkpointNanos() {
      long begun = world.clock().monotonicNanos();
      world.<Unit>get(fixture.store()::checkpoint);
      return world.clock().monotonicNanos() - begun;
    }

    void end() {
      readersStop = true;
      fixture.end();
    }
  }

  private static long checkpointNanos(PacingConfig pacing, boolean reading) {
    Machine machine = new Machine(pacing);
    for (int id = 1; id <= 12; id++) {
      machine.fixture.put(id, new byte[3000 + id]);
    }
    machine.rest();
    if (reading) {
      machine.startReaders();
    }
    long nanos = machine.checkpointNanos();
    machine.end();
    return nanos;
  }

  @Test
  void aCheckpointTakesItsTimeBesideReadersOnly() {
    long unpaced = checkpointNanos(PacingConfig.OFF, /* reading= */ true);
    long paced = checkpointNanos(PacingConfig.DEFAULT, /* reading= */ true);
    assertTrue(paced > 2 * unpaced, paced + " paced, " + unpaced + " not paced");
    long alone = checkpointNanos(PacingConfig.DEFAULT, /* reading= */ false);
    long aloneUnpaced = checkpointNanos(PacingConfig.OFF, /* reading= */ false);
    assertEquals(aloneUnpaced, alone, "nobody reads");
  }

  private static long fillingNanos(PacingConfig pacing) {
    Machine machine = new Machine(pacing);
    machine.startReaders();
    long begun = machine.world.clock().monotonicNanos();
    machine.putFiles();
    machine.putFiles();
    machine.putFiles();
    long nanos = machine.world.clock().monotonicNanos() - begun;
    machine.end();
    return nanos;
  }

  @Test
  void whoWaitsForRoomInTheLogDoesNotWaitForReaders() {
    long unpaced = fillingNanos(PacingConfig.OFF);
    // What rested already is lifted, so that not even the length of the rests matters. A request
    // more or less may be ahead of one that they wait for.
    int leastRestNanos = 1_000_000;
    for (int restFactor : new int[] {PacingConfig.DEFAULT.restFactor(), 40, 1000}) {
      long paced = fillingNanos(new PacingConfig(50_000_000, restFactor, 100_000_000));
      assertEquals(unpaced, paced, leastRestNanos / 2, "rests of " + restFactor);
    }
  }
}
