package dev.upcall.cli.crash;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.crash.QueueCrashJudge.Victims;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Producers, a server and its standby, killed at random instants: each request is done once, and
 * replied to.
 */
class QueueCrashJudgeTest {
  /** How many kills the long lane takes. */
  private static final int ROUNDS = Integer.getInteger("upcall.crash.rounds", 24);

  @TempDir Path folder;

  @Test
  void eachRequestIsDoneOnceInSixKills() throws Exception {
    kills(Victims.values().length, 31);
  }

  @Test
  @Tag("long")
  void eachRequestIsDoneOnceInManyKills() throws Exception {
    kills(ROUNDS, 32);
  }

  private void kills(int rounds, long seed) throws Exception {
    QueueCrashJudge judge = new QueueCrashJudge(folder, seed);
    try {
      long acknowledged = 0;
      for (int round = 0; round < rounds; round++) {
        acknowledged = judge.round(Victims.values()[round % Victims.values().length]);
      }
      judge.finish();
      assertTrue(acknowledged > 10L * rounds, "acknowledged: " + acknowledged);
      Path journal = QueueCrashProducer.journal(folder, "one");
      String honest = Files.readString(journal);
      Files.writeString(journal, "9999 0 99999999\n", StandardOpenOption.APPEND);
      assertThrows(AssertionError.class, judge::compare);
      Files.writeString(journal, honest);
      judge.compare();
    } finally {
      judge.end();
    }
  }
}
