package dev.upcall.nio.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that makes one file after the other, and notes each in a log before, is killed by
 * SIGKILL: the first files are there, the last of them perhaps in part, with their notes, and all
 * that were forced.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledFilesTest {
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);
  private static final int PER_FORCE = 50;

  @TempDir Path folder;

  @Test
  void aKillTakesTheLastFiles() throws Exception {
    rounds(2, 41);
  }

  @Test
  @Tag("long")
  void manyKillsTakeTheLastFiles() throws Exception {
    rounds(8, 42);
  }

  private void rounds(int rounds, long seed) throws Exception {
    Random random = new Random(seed);
    KilledChild child = new KilledChild(Child.class, folder);
    for (int round = 0; round < rounds; round++) {
      int forced = child.killedAfter(1 + random.nextInt(30));
      try (Upcall store = Upcall.open(child.volume(), CONFIG)) {
        check("seed " + seed + ", round " + round, store, forced);
      }
      Files.delete(child.volume());
    }
  }

  private static void check(String where, Upcall store, int forced) {
    int files = 0;
    boolean whole = true;
    for (; isThere(store, files); files++) {
      assertTrue(whole, where + ": there is one behind a part of one");
      byte[] found = store.readAllBytes("/" + files);
      byte[] written = content(files);
      assertArrayEquals(Arrays.copyOf(written, found.length), found, where + ": " + files);
      whole = found.length == written.length;
    }
    assertTrue(files >= forced + (whole ? 0 : 1), where + ": " + files + " of " + forced);
    for (int behind = files; behind < files + 2 * PER_FORCE; behind++) {
      assertFalse(isThere(store, behind), where + ": " + behind + " is there, " + files + " not");
    }
    ByteBuffer log = ByteBuffer.wrap(store.readAllBytes("/log"));
    for (int i = 0; i < files; i++) {
      assertEquals(i, log.getInt(), where + ": a file is there without its note");
    }
  }

  private static boolean isThere(Upcall store, int file) {
    try {
      return store.stat("/" + file).isFile();
    } catch (UpcallException.NotFound end) {
      return false;
    }
  }

  private static byte[] content(int file) {
    byte[] content = new byte[file % 100 == 99 ? 300_000 : 1 + file * 7919 % 5000];
    Arrays.fill(content, (byte) file);
    return content;
  }

  /** Makes files until it is killed; says after each force how many there are. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException {
      try (Upcall store = Upcall.openOrCreate(Path.of(arguments[0]), CONFIG);
          FileChannel log =
              FileChannel.open(
                  store.fileSystem().getPath("/log"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND)) {
        for (int number = 0; ; number++) {
          log.write(ByteBuffer.allocate(4).putInt(0, number));
          Path file = store.fileSystem().getPath("/" + number);
          Files.write(file, content(number), StandardOpenOption.CREATE_NEW);
          if (number % PER_FORCE == PER_FORCE - 1) {
            log.force(false);
            System.out.println(number + 1);
          }
        }
      }
    }
  }
}
