package dev.upcall.cli.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.cryptomator.jfuse.api.Fuse;
import org.cryptomator.jfuse.api.FuseBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the worker as {@link CrashJudge} does, on a file system that loses what was not synced: the
 * power fails a moment before. Needs Linux, {@code /dev/fuse}, the right to mount and libfuse 3, so
 * its name is none that a build runs by itself; {@code docs/hacking.md} says how to run it.
 */
class LosingFileRounds {
  private static final int LYING_ROUNDS = 20;

  private static final int ROUNDS = Integer.getInteger("upcall.crash.rounds", 20);
  private static final long SEED = Long.getLong("upcall.crash.seed", 31);

  @TempDir Path temporary;

  @Test
  void nothingAcknowledgedIsLostWithThePower() throws Exception {
    Path folder = temporary.toRealPath();
    FuseBuilder builder = Fuse.builder();
    String library = System.getProperty("upcall.libfuse");
    if (library != null) {
      builder.setLibraryPath(library);
    }
    Path volume = Files.createDirectories(folder.resolve("durable")).resolve("s.upcall");
    Path mount = Files.createDirectories(folder.resolve("mount"));
    Upcall.openOrCreate(volume, CrashWorker.CONFIG).close();
    LosingFile file = new LosingFile(builder.errno(), volume);
    Path seen = folder.resolve("s.upcall");
    Random random = new Random(SEED);
    try (Fuse fuse = builder.build(file)) {
      fuse.mount("losing", mount, "-f", "-o", "attr_timeout=0,entry_timeout=0,ac_attr_timeout=0");
      CrashJudge judge =
          new CrashJudge(
              folder,
              SEED,
              new CrashJudge.Ground() {
                @Override
                public void begin() throws IOException {
                  file.look();
                  point(seen, mount.resolve("s.upcall"));
                }

                @Override
                public void kill() {
                  file.fail();
                }

                @Override
                public void end() throws IOException, InterruptedException {
                  file.lose(random);
                  point(seen, volume);
                }
              });
      long acknowledged = 0;
      for (int round = 1; round <= ROUNDS; round++) {
        acknowledged += judge.round(round % 3 == 2);
        System.out.printf(
            "round %d: %d acknowledged, %d syncs, %d blocks lost%n",
            round, acknowledged, file.syncs(), file.lostBlocks());
      }
      assertTrue(acknowledged > ROUNDS, "acknowledged: " + acknowledged);
      file.lie();
      noticesLies(judge);
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

  private static void point(Path link, Path target) throws IOException {
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, target);
  }
}
