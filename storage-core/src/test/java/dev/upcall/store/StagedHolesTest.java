package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Zeros in content that is staged take no space, wherever they stand. */
class StagedHolesTest {
  private static final int FRAME_BYTES = 64 << 10;

  /** Content of frames: of zeros where the text has a dot, else of noise. */
  private static byte[] content(String frames, int lastBytes) {
    byte[] bytes = new byte[(frames.length() - 1) * FRAME_BYTES + lastBytes];
    SplittableRandom random = new SplittableRandom(frames.hashCode());
    for (int i = 0; i < frames.length(); i++) {
      if (frames.charAt(i) != '.') {
        int end = Math.min(bytes.length, (i + 1) * FRAME_BYTES);
        byte[] noise = new byte[end - i * FRAME_BYTES];
        random.nextBytes(noise);
        System.arraycopy(noise, 0, bytes, i * FRAME_BYTES, noise.length);
      }
    }
    return bytes;
  }

  private static StoreFixture open(long seed) {
    SimWorld world = new SimWorld(seed, SimDiskConfig.ofBlocks(0).withCapacity(8192));
    StoreFixture.format(world);
    return StoreFixture.open(world);
  }

  private static long usedBytes(StoreFixture store) {
    StoreInfo info = store.store().info();
    return info.sizeBytes() - info.freeBytes();
  }

  @Test
  void whatIsReadIsWhatWasWritten() {
    StoreFixture store = open(5);
    String[] forms = {
      "..", "x.", ".x", "....", "x..x", ".xx.x.", "xxxxxxxxxxxxxxxxxx...x", "x.x.x.x.x.x.x.x."
    };
    long id = 100;
    for (String form : forms) {
      for (int last : new int[] {1, 4096, 5000, FRAME_BYTES}) {
        byte[] bytes = content(form, last);
        assertEquals(Completion.done(), store.put(id, bytes), form);
        assertArrayEquals(bytes, store.read(id), form);
        id++;
      }
    }
    // One byte in a frame of zeros is content.
    byte[] bytes = new byte[4 * FRAME_BYTES];
    bytes[2 * FRAME_BYTES - 1] = 1;
    bytes[3 * FRAME_BYTES + 8] = 1;
    assertEquals(Completion.done(), store.put(id, bytes));
    assertArrayEquals(bytes, store.read(id));
    store.verify();
    assertEquals(Completion.done(), store.close());
  }

  @Test
  void holesTakeNoSpace() {
    StoreFixture store = open(6);
    long before = usedBytes(store);
    char[] form = new char[40];
    Arrays.fill(form, '.');
    form[20] = 'x';
    assertEquals(Completion.done(), store.put(100, content(new String(form), FRAME_BYTES)));
    long taken = usedBytes(store) - before;
    assertTrue(taken >= FRAME_BYTES && taken < 4 * FRAME_BYTES, "taken " + taken);
    assertEquals(Completion.done(), store.close());
  }
}
