package dev.upcall.nio.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fileman.blocking.EachEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A process that appends to two files is killed by SIGKILL: each file has its first writes, none in
 * part, and all that was forced.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledWritesTest {
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);
  private static final int PER_FORCE = 500;
  private static final String[] FILES = {"/a", "/b"};

  @TempDir Path folder;

  @Test
  void aKillTakesATail() throws Exception {
    rounds(2, 31, Engine.FSM);
  }

  @Tag("long")
  @ParameterizedTest
  @EachEngine
  void manyKillsTakeATail(Engine engine) throws Exception {
    rounds(4, 32, engine);
  }

  private void rounds(int rounds, long seed, Engine engine) throws Exception {
    Random random = new Random(seed);
    KilledChild child = new KilledChild(engine == Engine.FSM ? Child.class : Threads.class, folder);
    for (int round = 0; round < rounds; round++) {
      int forced = child.killedAfter(1 + random.nextInt(30));
      try (Upcall store = Upcall.open(child.volume(), CONFIG.withEngine(engine))) {
        for (String file : FILES) {
          checkPrefix("seed " + seed + ", round " + round + ", " + file, store, file, forced);
        }
      }
    }
  }

  private static void checkPrefix(String where, Upcall store, String file, int forced) {
    ByteBuffer content = ByteBuffer.wrap(store.readAllBytes(file));
    int number = 0;
    while (content.hasRemaining()) {
      int bytes = bytes(number);
      assertTrue(content.remaining() >= bytes, where + ": write " + number + " is there in part");
      assertEquals(number, content.getInt(content.position()), where);
      content.position(content.position() + bytes);
      number++;
    }
    assertTrue(number >= forced, where + ": " + number + " writes of " + forced + " forced");
  }

  /** How long a write is. */
  private static int bytes(int number) {
    return 4 + number * 7919 % 300;
  }

  /** Appends until it is killed; says after each force how many writes each file has. */
  static class Child {
    Child() {}

    public static void main(String[] arguments) throws IOException {
      append(Path.of(arguments[0]), CONFIG);
    }

    static void append(Path volume, UpcallConfig config) throws IOException {
      try (Upcall store = Upcall.openOrCreate(volume, config);
          FileChannel one = open(store, FILES[0]);
          FileChannel other = open(store, FILES[1])) {
        for (int number = 0; ; number++) {
          ByteBuffer bytes = ByteBuffer.allocate(bytes(number)).putInt(0, number);
          one.write(bytes.duplicate());
          other.write(bytes);
          if (number % PER_FORCE == PER_FORCE - 1) {
            one.force(false);
            System.out.println(number + 1);
          }
        }
      }
    }

    private static FileChannel open(Upcall store, String file) throws IOException {
      return FileChannel.open(
          store.fileSystem().getPath(file),
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
    }
  }

  /** The same by the engine of threads. */
  static final class Threads extends Child {
    private Threads() {}

    public static void main(String[] arguments) throws IOException {
      append(Path.of(arguments[0]), CONFIG.withEngine(Engine.THREADS));
    }
  }
}
