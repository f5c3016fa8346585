package dev.upcall.txn.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.store.VerifyReport;
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

  private static String said(VerifyReport.Problem problem) {
    return problem.offsetBytes() / 4096 + ": " + problem.what();
  }
}
