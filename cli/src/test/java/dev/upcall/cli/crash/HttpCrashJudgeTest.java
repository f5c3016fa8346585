package dev.upcall.cli.crash;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server, killed at random instants: what it acknowledged over HTTP is there. */
class HttpCrashJudgeTest {
  /** How many kills the long lane takes. */
  private static final int ROUNDS = Integer.getInteger("upcall.crash.rounds", 24);

  @TempDir Path folder;

  @Test
  void nothingAcknowledgedIsLostInThreeKills() throws Exception {
    kills(3, 21, Engine.FSM);
  }

  @Test
  void nothingAcknowledgedIsLostWhateverServerIsKilled() throws Exception {
    kills(3, 23, Engine.THREADS, Engine.VIRTUAL);
  }

  @Test
  @Tag("long")
  void nothingAcknowledgedIsLostInManyKills() throws Exception {
    kills(ROUNDS, 22, Engine.values());
  }

  private void kills(int rounds, long seed, Engine... inTurn) throws Exception {
    HttpCrashJudge judge = new HttpCrashJudge(folder, seed);
    long acknowledged = 0;
    for (int round = 0; round < rounds; round++) {
      acknowledged += judge.round(round % 3 == 1, inTurn[(round + round / 3) % inTurn.length]);
    }
    assertTrue(acknowledged > rounds, "acknowledged: " + acknowledged);
    assertTrue(judge.servedWhole() > 0, "served: " + judge.servedWhole());
    assertThrows(AssertionError.class, () -> judge.served("/writer0/f1", new byte[] {1, 2, 3}));
    Path journal = Journal.path(folder, "writer0");
    try (Journal lying = new Journal(journal)) {
      lying.acknowledged(Journal.count(journal) + 50);
    }
    assertThrows(AssertionError.class, judge::compare);
  }
}
