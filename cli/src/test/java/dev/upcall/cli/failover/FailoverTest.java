package dev.upcall.cli.failover;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.cli.crash.Journal;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real pairs of servers: the one that serves is killed at random instants, the other goes on. */
class FailoverTest {
  /** How many kills the long lane takes. */
  private static final int ROUNDS = Integer.getInteger("upcall.crash.rounds", 12);

  @TempDir Path folder;

  @Test
  void nothingAcknowledgedIsLostInThreeFailOvers() throws Exception {
    kills(3, 31, Engine.FSM, Engine.THREADS);
  }

  @Test
  @Tag("long")
  void nothingAcknowledgedIsLostInManyFailOvers() throws Exception {
    kills(ROUNDS, 32, Engine.values());
  }

  private void kills(int rounds, long seed, Engine... inTurn) throws Exception {
    FailoverJudge judge = new FailoverJudge(folder, seed);
    try {
      long acknowledged = 0;
      for (int round = 0; round < rounds; round++) {
        acknowledged += judge.round(round % 3 == 1, inTurn[(round + 1) % inTurn.length]);
      }
      judge.end();
      assertTrue(acknowledged > rounds, "acknowledged: " + acknowledged);
      Path path = Journal.path(folder, "writer0");
      try (Journal lying = new Journal(path)) {
        lying.acknowledged(Journal.count(path) + 50);
      }
      assertThrows(AssertionError.class, judge::compare);
    } finally {
      judge.stop();
    }
  }
}
