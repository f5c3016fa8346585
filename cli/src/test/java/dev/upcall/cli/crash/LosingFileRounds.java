package dev.upcall.cli.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.crash.QueueCrashJudge.Victims;
import dev.upcall.journal.queue.QueueDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills as {@link CrashJudge} and {@link QueueCrashJudge} do, on a file system that loses what was
 * not synced: the power fails a moment before. Needs Linux, {@code /dev/fuse}, the right to mount
 * and libfuse 3, so its name is none that a build runs by itself; {@code docs/hacking.md} says how
 * to run it.
 */
class LosingFileRounds {
  private static final int LYING_ROUNDS = 20;

  private static final int ROUNDS = Integer.getInteger("upcall.crash.rounds", 20);
  private static final long SEED = Long.getLong("upcall.crash.seed", 31);

  private static final String VOLUME = "s.upcall";
  private static final String QUEUE = "queue";

  @TempDir Path temporary;

  @Test
  void nothingAcknowledgedIsLostWithThePower() throws Exception {
    Path folder = temporary.toRealPath();
    try (LosingFileSystem files = new LosingFileSystem(folder)) {
      Ground ground = Ground.of(files, folder, List.of(VOLUME));
      CrashJudge judge = new CrashJudge(folder, SEED, ground);
      long acknowledged = 0;
      for (int round = 1; round <= ROUNDS; round++) {
        acknowledged += judge.round(round % 3 == 2);
        System.out.printf(
            "round %d: %d acknowledged, %d syncs, %d blocks lost%n",
            round, acknowledged, files.syncs(), files.lostBlocks());
      }
      assertTrue(acknowledged > ROUNDS, "acknowledged: " + acknowledged);
      files.lie();
      noticesLies(judge);
    }
  }

  @Test
  void queueAndVolumeLoseTheirPowerTogether() throws Exception {
    queueRounds(List.of(VOLUME, QUEUE));
  }

  @Test
  void theQueueAloneLosesItsPower() throws Exception {
    queueRounds(List.of(QUEUE));
  }

  @Test
  void theVolumeAloneLosesItsPower() throws Exception {
    queueRounds(List.of(VOLUME));
  }

  private void queueRounds(List<String> losing) throws Exception {
    Path folder = temporary.toRealPath();
    try (LosingFileSystem files = new LosingFileSystem(folder)) {
      Ground ground = Ground.of(files, folder, losing);
      QueueCrashJudge judge = new QueueCrashJudge(folder, SEED, ground);
      try {
        long acknowledged = 0;
        for (int round = 1; round <= ROUNDS; round++) {
          acknowledged = judge.round(round % 4 == 1 ? Victims.SERVER : Victims.ALL);
          System.out.printf(
              "round %d: %d acknowledged, %d syncs, %d blocks lost%n",
              round, acknowledged, files.syncs(), files.lostBlocks());
        }
        judge.finish();
        assertTrue(acknowledged > ROUNDS, "acknowledged: " + acknowledged);
      } finally {
        judge.end();
      }
    }
  }

  /** The judge can fail: on a file whose syncs do nothing something is missing soon. */
  private static void noticesLies(CrashJudge judge) throws IOException, InterruptedException {
    for (int round = 1; round <= LYING_ROUNDS; round++) {
      try {
        judge.round(false);
      } catch (AssertionError | UpcallException noticed) {
        System.out.printf("lying syncs are noticed in round %d: %s%n", round, noticed.getMessage());
        return;
      }
    }
    throw new AssertionError("nobody noticed that syncs did nothing");
  }

  /** Links in a folder to names that are on the losing file system. */
  private record Ground(LosingFileSystem files, Path folder, List<String> names, Random random)
      implements CrashJudge.Ground {
    static Ground of(LosingFileSystem files, Path folder, List<String> names) throws IOException {
      if (names.contains(VOLUME)) {
        Upcall.openOrCreate(files.shown().resolve(VOLUME), CrashWorker.CONFIG).close();
      }
      if (names.contains(QUEUE)) {
        // Made here, since it needs a hard link, which the losing file system has not.
        QueueDirectory.openOrCreate(files.shown().resolve(QUEUE), UUID::randomUUID);
      }
      Ground made = new Ground(files, folder, names, new Random(SEED));
      made.point(files.shown());
      return made;
    }

    @Override
    public void begin() throws IOException {
      files.begin();
      point(files.mount());
    }

    @Override
    public void kill() {
      files.fail();
    }

    @Override
    public void end() throws IOException {
      files.lose(random);
      point(files.shown());
    }

    private void point(Path where) throws IOException {
      for (String name : names) {
        Path link = folder.resolve(name);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, where.resolve(name));
      }
    }
  }
}
