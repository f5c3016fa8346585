package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.metrics.StoreWork;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the meters say of edits is what a verification finds. */
class EditMeterTest {
  private static final long ID = 200;
  private static final int BLOCK = Disk.BLOCK_BYTES;
  private static final int EDITS = 150;

  private final SimWorld world = SimWorld.ofBlocks(9, 4096);
  private final SplittableRandom random = new SplittableRandom(9);
  private StoreFixture store = formatted();

  private StoreFixture formatted() {
    StoreFixture.format(world);
    return StoreFixture.open(world);
  }

  @AfterEach
  void close() {
    store.end();
  }

  private void done(Consumer<CompletionPort<Unit>> request) {
    store.world().<Unit>get(request);
  }

  private SegmentHandle open() {
    return store
        .world()
        .get(
            port -> Segments.open(store.store(), Segments.Target.of(ID), StoreFixture.OWNER, port));
  }

  private StoreWork work() {
    return store.store().metrics().work();
  }

  private long unusedBytes() {
    done(store.store()::checkpoint);
    VerifyReport report =
        store
            .world()
            .get(
                port ->
                    store
                        .store()
                        .verify(
                            new VerifyOptions(/* readContent= */ false), (at, of) -> true, port));
    assertTrue(report.isSound(), report::toString);
    return report.unusedBytes();
  }

  private void editOnce(SegmentHandle handle) {
    int size = (int) handle.sizeBytes();
    int removed = random.nextInt(3) == 0 ? 0 : random.nextInt(Math.min(size, 3 * BLOCK));
    int offset = random.nextInt(size - removed + 1);
    byte[] bytes = StoreFixture.bytes(offset, random.nextInt(3) == 0 ? 0 : random.nextInt(9000));
    switch (random.nextInt(8)) {
      case 0 -> done(port -> handle.append(ByteBuffer.wrap(bytes), port));
      case 1 -> done(port -> handle.truncate(size - removed, port));
      case 2 -> done(port -> handle.gather(offset, removed, port));
      default -> done(port -> handle.splice(offset, removed, ByteBuffer.wrap(bytes), port));
    }
  }

  /** Also where most pieces are in a tree, as after a few edits here. */
  @Test
  void whatBlocksDoNotHoldIsCountedExactly() {
    store.put(ID, StoreFixture.bytes(1, 90 * BLOCK + 1234));
    SegmentHandle handle = open();
    for (int i = 0; i < EDITS; i++) {
      editOnce(handle);
      if (i % 10 == 0) {
        done(handle::flush);
        assertEquals(unusedBytes(), work().editUnusedBytes(), "after edit " + i);
      }
    }
    done(handle::close);
    assertTrue(unusedBytes() > 0, "edits that fill their blocks");
  }

  @Test
  void piecesArePendingUntilTheyAreCommitted() {
    store.put(ID, StoreFixture.bytes(1, 90 * BLOCK));
    SegmentHandle handle = open();
    byte[] bytes = {1, 2, 3};
    for (int i = 1; i <= 3; i++) {
      int at = i * 20 * BLOCK + 5;
      done(port -> handle.splice(at, 0, ByteBuffer.wrap(bytes), port));
      assertEquals(2L * i, work().editPendingPieces());
    }
    done(handle::flush);
    assertEquals(0, work().editPendingPieces());
    done(port -> handle.splice(7, 0, ByteBuffer.wrap(bytes), port));
    assertEquals(2, work().editPendingPieces());
    handle.abandon();
    assertEquals(0, work().editPendingPieces());
  }
}
