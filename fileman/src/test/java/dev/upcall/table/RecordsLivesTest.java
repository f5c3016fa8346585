package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.table.RecordsLife.Fault;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records and their indexes never disagree, and ids are given once. A failure names its seed. */
class RecordsLivesTest {
  private static final int CANARY_SEEDS = 1000;
  private static final int SEEDS = 60;
  private static final int MANY_SEEDS = Integer.getInteger("upcall.records.seeds", 500);

  @Test
  void recordsAndIndexes_inAFewLives_agree() {
    run(1, SEEDS);
  }

  @Tag("long")
  @Test
  void recordsAndIndexes_inManyLives_agree() {
    run(1 + SEEDS, MANY_SEEDS);
  }

  private static void run(long first, int many) {
    for (long seed = first; seed < first + many; seed++) {
      run(seed, Fault.SOUND);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SOUND")
  void recordsThatAreBrokenOnPurpose_areNoticed(Fault fault) {
    for (long seed = 1; seed <= CANARY_SEEDS; seed++) {
      try {
        run(seed, fault);
      } catch (AssertionError noticed) {
        assertTrue(noticed.getMessage().contains(saidOf(fault)), noticed::getMessage);
        System.out.println(fault + " is caught by seed " + seed);
        return;
      }
    }
    fail(fault + " was not noticed within " + CANARY_SEEDS + " seeds");
  }

  /** How the judge says it: whatever else fails is another bug. */
  private static String saidOf(Fault fault) {
    return switch (fault) {
      case SOUND -> throw new IllegalArgumentException("nothing is wrong");
      case INDEX_ENTRY_STAYS, INDEX_IN_A_COMMIT_OF_ITS_OWN, RECORD_PAST_A_BUILDING ->
          "the entries of /";
      case ID_GIVEN_TWICE -> "was given twice";
    };
  }

  private static void run(long seed, Fault fault) {
    try {
      new RecordsLife(seed, fault).run();
    } catch (AssertionError failed) {
      throw new AssertionError("seed " + seed + ": " + failed, failed);
    } catch (RuntimeException failed) {
      throw new IllegalStateException("seed " + seed, failed);
    }
  }
}
