package dev.upcall.cli.crash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.store.SpaceUse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, killed at random instants: what was acknowledged is there. */
class CrashJudgeTest {
  /** How many kills the long lane takes. */
  private static final int ROUNDS = Integer.getInteger("upcall.crash.rounds", 24);

  @TempDir Path folder;

  @Test
  void nothingAcknowledgedIsLostInThreeKills() throws Exception {
    CrashJudge judge = new CrashJudge(folder, 11);
    long acknowledged = judge.round(false) + judge.round(true) + judge.round(false);
    assertTrue(acknowledged > 0);
    lossesAreSeen(judge);
  }

  @Test
  @Tag("long")
  void nothingAcknowledgedIsLostInManyKills() throws Exception {
    CrashJudge judge = new CrashJudge(folder, 12);
    long acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      acknowledged += round % 6 == 0 ? judge.roundWithSnapshot() : judge.round(round % 3 == 2);
    }
    assertTrue(acknowledged > 3L * ROUNDS, "acknowledged: " + acknowledged);
    long remembered = Journal.count(Journal.path(folder, CrashWorker.SNAPSHOTS));
    assertTrue(remembered > ROUNDS, "the last snapshot is of operation " + remembered);
    lossesAreSeen(judge);
  }

  @Test
  void nothingAcknowledgedIsLostWithAllOptionsOfContent() throws Exception {
    lossesAreSeen(killed(/* rounds= */ 3));
  }

  @Test
  @Tag("long")
  void nothingAcknowledgedIsLostInManyKillsWithAllOptionsOfContent() throws Exception {
    lossesAreSeen(killed(ROUNDS));
  }

  /** A judge whose encrypted store has compressed content and such that files share. */
  private CrashJudge killed(int rounds) throws Exception {
    CrashJudge judge = new CrashJudge(folder, 15, CrashWorker.Setting.ALL_OPTIONS);
    byte[] content = CrashModel.bytes(new CrashModel.Piece(4, 300_000));
    UpcallConfig config = CrashWorker.Setting.ALL_OPTIONS.config();
    try (Upcall store = Upcall.create(folder.resolve("s.upcall"), config)) {
      store.write("/first", content);
      store.write("/same", content);
    }
    long acknowledged = 0;
    for (int round = 0; round < rounds; round++) {
      acknowledged += judge.round(round % 3 == 2);
    }
    assertTrue(acknowledged > rounds, "acknowledged: " + acknowledged);
    UpcallException refused =
        assertThrows(
            UpcallException.class,
            () -> Upcall.open(folder.resolve("s.upcall"), CrashWorker.CONFIG).close());
    assertTrue(refused.getMessage().contains("encrypted"), refused::getMessage);
    try (Upcall store = judge.open()) {
      assertArrayEquals(content, store.readAllBytes("/first"));
      assertArrayEquals(content, store.readAllBytes("/same"));
      SpaceUse space = Comparison.verified(store).space();
      assertTrue(space.savedByCompressionBytes() > 0, () -> "nothing is compressed: " + space);
      assertTrue(space.savedBySharingBytes() > 0, () -> "nothing is shared: " + space);
    }
    return judge;
  }

  @Test
  void nothingAcknowledgedIsLostWhateverEngineIsKilled() throws Exception {
    CrashJudge judge = new CrashJudge(folder, 13);
    long acknowledged =
        judge.round(false, Engine.THREADS)
            + judge.round(true, Engine.VIRTUAL)
            + judge.round(false, Engine.FSM)
            + judge.round(false, Engine.THREADS);
    assertTrue(acknowledged > 0);
    lossesAreSeen(judge);
  }

  @Test
  @Tag("long")
  void nothingAcknowledgedIsLostInManyKillsOfEnginesInTurn() throws Exception {
    CrashJudge judge = new CrashJudge(folder, 14);
    long acknowledged = 0;
    int rounds = 3 * ROUNDS / 4; // the state machines alone have their rounds above
    for (int round = 0; round < rounds; round++) {
      acknowledged += judge.round(round % 3 == 2, Engine.values()[round / 3 % 3]);
    }
    assertTrue(acknowledged > 3L * rounds, "acknowledged: " + acknowledged);
    lossesAreSeen(judge);
  }

  /** The judge can fail: a file that differs, and an acknowledgement without its deed. */
  private void lossesAreSeen(CrashJudge judge) throws Exception {
    judge.compare();
    lossIsSeen(judge, Journal.path(folder, "writer0"), 50);
    lossIsSeen(judge, CrashBank.journal(folder, 0), 1);
    lossIsSeen(judge, CrashPerishables.journal(folder), CrashPerishables.NAMES);
    lossIsSeen(judge, CrashEntries.journal(folder), CrashEntries.KEYS);
    try (Upcall store = judge.open()) {
      store.write("/writer1/b0", new byte[] {1, 2, 3});
    }
    assertThrows(AssertionError.class, judge::compare);
  }

  /** A journal that claims so many operations more than were done. */
  private static void lossIsSeen(CrashJudge judge, Path journal, long more) throws Exception {
    long done = Journal.count(journal);
    try (Journal lying = new Journal(journal)) {
      lying.acknowledged(done + more);
    }
    assertThrows(AssertionError.class, judge::compare);
    try (Journal honest = new Journal(journal)) {
      honest.acknowledged(done);
    }
    judge.compare();
  }
}
