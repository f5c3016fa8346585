package dev.upcall.txn.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Unit;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** A ledger looks at a large volume in parts that are short enough for one upcall each. */
class BlockLedgerTest {
  private static final int TOTAL = 5 * BlockLedger.BLOCKS_PER_PART / 2;
  private static final int DATA_START = 100;

  private long looks;

  /** The blocks of a state, which counts how often it is asked. */
  private BlockLedger.Committed from(long first, long end) {
    return new BlockLedger.Committed(
        block -> {
          looks++;
          return block >= first && block < end;
        },
        TOTAL,
        end - first);
  }

  private void inParts(LongUnaryOperator part) {
    int parts = 0;
    for (long from = 0; from != BlockLedger.END; parts++) {
      looks = 0;
      from = part.applyAsLong(from);
      assertTrue(looks <= 2 * BlockLedger.BLOCKS_PER_PART, () -> looks + " looks in one part");
    }
    assertEquals(3, parts);
  }

  @Test
  void whatSnapshotsKeep_isCountedOnce() {
    BlockLedger ledger = new BlockLedger(from(DATA_START, 1000), DATA_START, block -> {});
    BlockLedger.Committed one = from(0, 6000);
    BlockLedger.Committed other = from(5000, TOTAL);
    inParts(block -> ledger.keep(one, block));
    assertEquals(5000, ledger.kept().snapshotBlocks());
    inParts(block -> ledger.keep(other, block));
    assertEquals(
        new BlockLedger.Kept(DATA_START, TOTAL - 1000, 0), ledger.kept(), "of both together");
  }

  @Test
  void lostBlocksOfTwoParts_areOneRun() {
    BlockLedger ledger = new BlockLedger(from(DATA_START, TOTAL), DATA_START, block -> {});
    for (long block = DATA_START; block < TOTAL - 10; block++) {
      if (block < 4000 || block >= 4200) {
        ledger.claim(block, "somebody");
      }
    }
    inParts(ledger::findLost);
    assertEquals(
        "[4000: 200 committed blocks belong to nothing, %d: 10 committed blocks belong to nothing]"
            .formatted(TOTAL - 10),
        ledger.problems().stream().map(BlockLedgerTest::said).toList().toString());
  }

  /** Each part in an upcall of its own, also of what a snapshot keeps. */
  @Test
  void aVolumeOfSeveralParts_isVerifiedWithItsSnapshots() {
    VolumeLayout layout = new VolumeLayout(64, 64, TOTAL);
    SimWorld world = SimWorld.ofBlocks(9, TOTAL);
    world.<Unit>get(
        port ->
            Stores.format(
                world.dispatcher(),
                world.disk(),
                new Stores.Format(9, layout, TOTAL, TOTAL),
                port));
    StoreFixture files = StoreFixture.open(world);
    files.put(20, StoreFixture.bytes(1, 40_000));
    world.<NamedSnapshot>get(port -> files.store().namedSnapshots().create("before", port));
    files.put(20, StoreFixture.bytes(2, 50_000));
    VerifyReport report =
        world.get(port -> files.store().verify(new VerifyOptions(true), (at, of) -> true, port));
    assertEquals("[]", report.problems().toString());
    SpaceUse space = report.space();
    assertTrue(space.snapshotBytes() >= 40_000, space::toString);
    assertTrue(space.freeBytes() / 4096 > 2L * BlockLedger.BLOCKS_PER_PART, space::toString);
    files.end();
  }

  private static String said(VerifyReport.Problem problem) {
    return problem.offsetBytes() / 4096 + ": " + problem.what();
  }
}
