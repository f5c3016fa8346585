package dev.upcall.sim.store.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.fsm.Faults;
import dev.upcall.fsm.InjectedFaults;
import dev.upcall.history.Anomaly;
import dev.upcall.history.IsolationChecker;
import dev.upcall.history.TransactionRecord;
import dev.upcall.txn.state.StoreFault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients of a simulated store saw is snapshot isolation, says a judge who knows no store. */
class SimHistoryTest {
  private static final int SEEDS = 150;

  @Test
  void historiesAreOfSnapshotIsolation() {
    long committed = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<TransactionRecord> history = SimHistory.record(seed, Faults.NONE);
      assertEquals(List.of(), IsolationChecker.check(history), "seed " + seed);
      committed +=
          history.stream()
              .filter(each -> each.outcome() == TransactionRecord.Outcome.COMMITTED)
              .count();
    }
    assertTrue(committed > 20 * SEEDS, committed + " commits in " + SEEDS + " histories");
  }

  @ParameterizedTest
  @CsvSource({
    "TRANSACTION_NOT_VALIDATED, property ",
    "TRANSACTION_NOT_VALIDATED, entry ",
    "TRANSACTION_READS_LIVE, property ",
    "TRANSACTION_READS_LIVE, entry ",
    "HALF_A_TRANSACTION, property ",
    "HALF_A_TRANSACTION, entry ",
    "CHANGED_BACK_UNNOTICED, property ",
    "CHANGED_BACK_UNNOTICED, entry ",
    "ENTRIES_OF_ANY_MOMENT, entry "
  })
  void brokenStoresAreNoticed(StoreFault fault, String where) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<Anomaly> found =
          IsolationChecker.check(SimHistory.record(seed, InjectedFaults.of(fault))).stream()
              .filter(anomaly -> anomaly.story().contains(where))
              .toList();
      if (!found.isEmpty()) {
        System.out.println(fault + " is noticed by seed " + seed + ": " + found.getFirst().story());
        return;
      }
    }
    fail(fault + " was not noticed in " + SEEDS + " histories");
  }
}
