package dev.upcall.fileman.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SequentialMissesTest {
  private final SequentialMisses misses = new SequentialMisses();

  @Test
  void oneThatGoesOnAsksForMore() {
    assertEquals(4096, misses.bytesFor(7, 0, 4096));
    assertEquals(65536, misses.bytesFor(7, 4096, 4096));
    assertEquals(65536, misses.bytesFor(7, 4096 + 65536, 4096)); // what was between was found
  }

  @Test
  void blocksNeedNotBeWhole() {
    assertEquals(4096, misses.bytesFor(7, 100, 4096));
    assertEquals(65536, misses.bytesFor(7, 4196, 4096));
    assertEquals(65536, misses.bytesFor(7, 4196 + 65536 - 1000, 6000));
  }

  @Test
  void streamsSideBySideGoOnEach() {
    for (int file = 1; file <= 10; file++) {
      assertEquals(4096, misses.bytesFor(file, file << 20, 4096));
    }
    int more = 0;
    for (int file = 1; file <= 10; file++) {
      more += misses.bytesFor(file, (file << 20) + 4096, 4096) == 65536 ? 1 : 0;
    }
    assertTrue(more >= 8, more + " of 10");
  }

  @Test
  void moreIsAskedForByItself() {
    misses.bytesFor(7, 0, 100_000);
    assertEquals(200_000, misses.bytesFor(7, 100_000, 200_000));
  }

  @Test
  void readsByChanceAskForWhatTheyNeed() {
    Random random = new Random(5);
    int more = 0;
    for (int i = 0; i < 10_000; i++) {
      more += misses.bytesFor(7, random.nextInt(16_384) * 4096L, 4096) > 4096 ? 1 : 0;
    }
    assertTrue(more < 300, more + " of 10,000");
  }
}
