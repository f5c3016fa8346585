package dev.upcall.txn.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskOperation;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import org.junit.jupiter.api.Test;

class ReplayAheadTest {
  private static final int FILES = 200;
  private static final int CHANGED = 10;
  private static final int BYTES = 10;

  /** Ten changed files lie in ten leaves: read one after the other, their times would add up. */
  @Test
  void pagesOfRecordsToComeAreReadTogether() {
    SimWorld world =
        new SimWorld(1, SimDiskConfig.ofBlocks(0).withCapacity(8192).withLatency(100_000, 100_000));
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    for (long id = 1; id <= FILES; id++) {
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(id, BYTES)));
    }
    assertEquals(Completion.done(), world.await(store.store()::checkpoint));
    for (long id = 1; id <= FILES; id += FILES / CHANGED) {
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(-id, BYTES)));
    }

    SimWorld later = world.crashAndReopen();
    long begin = later.clock().monotonicNanos();
    StoreFixture again = StoreFixture.open(later);
    long openingNanos = later.clock().monotonicNanos() - begin;
    DiskCounters.Kind reads = later.disk().counters().of(DiskOperation.READ);
    long readingNanos = reads.nanos().sum();
    assertTrue(
        readingNanos > 2 * openingNanos,
        () -> "%d reads, %d ns, in %d".formatted(reads.requests(), readingNanos, openingNanos));
    for (long id = 1; id <= FILES; id += FILES / CHANGED) {
      assertArrayEquals(StoreFixture.bytes(-id, BYTES), again.read(id));
    }
    again.end();
  }
}
