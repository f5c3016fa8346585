package dev.upcall.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.upcall.buffer.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is unplaced, against an array of blocks, and who pins how much of it. */
class OverlayTest {
  private static final int BLOCKS = 200;

  /** Memory that counts its pins. */
  private static final class Memory implements Lease {
    private final int blocks;
    private int pins;

    Memory(int blocks) {
      this.blocks = blocks;
    }

    @Override
    public ByteBuffer buffer() {
      throw new UnsupportedOperationException("nobody reads");
    }

    @Override
    public int blocks() {
      return blocks;
    }

    @Override
    public long firstBlock() {
      return -1;
    }

    @Override
    public Lease retain() {
      pins++;
      return this;
    }

    @Override
    public void release() {
      pins--;
    }

    @Override
    public void publish(long firstBlock) {
      throw new UnsupportedOperationException("nothing is placed");
    }
  }

  private record Cell(Memory memory, int block) {}

  private final List<Memory> made = new ArrayList<>();

  private Overlay.Part part(Random random) {
    int from = random.nextInt(BLOCKS);
    int blocks = 1 + random.nextInt(Math.min(20, BLOCKS - from));
    Memory memory = new Memory(blocks + 3);
    made.add(memory);
    return new Overlay.Part(from, blocks, memory, random.nextInt(3));
  }

  @Test
  void itIsWhatWasPutAndNotTakenAway() {
    for (int seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      Cell[] model = new Cell[BLOCKS];
      Overlay overlay = Overlay.EMPTY;
      Overlay kept = Overlay.EMPTY;
      for (int step = 0; step < 150; step++) {
        if (random.nextInt(3) > 0) {
          Overlay.Part part = part(random);
          for (int i = 0; i < part.blocks(); i++) {
            model[(int) part.block() + i] = new Cell((Memory) part.lease(), part.leaseBlock() + i);
          }
          overlay = overlay.with(part).takeOver(overlay);
        } else {
          int from = random.nextInt(BLOCKS);
          int to = from + 1 + random.nextInt(BLOCKS - from);
          for (int i = from; i < to; i++) {
            model[i] = null;
          }
          overlay = overlay.without(from, to).takeOver(overlay);
        }
        if (step == 70) {
          kept = overlay;
          kept.retain();
        }
        check(model, overlay, seed);
        pins(overlay, kept, seed);
      }
      overlay.release();
      kept.release();
      made.forEach(memory -> assertEquals(0, memory.pins));
    }
  }

  private static void check(Cell[] model, Overlay overlay, int seed) {
    long blocks = 0;
    for (int i = 0; i < BLOCKS; i++) {
      Overlay.Part part = overlay.ceiling(i);
      Cell cell = model[i];
      if (cell == null) {
        assertEquals(true, part == null || part.block() > i, "block " + i + ", seed " + seed);
        continue;
      }
      blocks++;
      assertSame(cell.memory(), part.lease(), "block " + i + ", seed " + seed);
      assertEquals(cell.block(), part.leaseBlock() + i - part.block());
    }
    assertEquals(blocks, overlay.blocks());
    assertNull(overlay.ceiling(BLOCKS + 20));
    assertEquals(overlay.parts().isEmpty(), overlay.isEmpty());
  }

  /** Each part of each value that is held has one pin. */
  private void pins(Overlay overlay, Overlay kept, int seed) {
    for (Memory memory : made) {
      long parts =
          overlay.parts().stream().filter(part -> part.lease() == memory).count()
              + kept.parts().stream().filter(part -> part.lease() == memory).count();
      assertEquals(parts, memory.pins, "seed " + seed);
    }
  }

  @Test
  void oneChangeTouchesTheMemoryOfNothingElse() {
    Overlay overlay = Overlay.EMPTY;
    for (int block = 0; block < BLOCKS; block += 2) {
      Memory memory = new Memory(1);
      made.add(memory);
      overlay = overlay.with(new Overlay.Part(block, 1, memory, 0)).takeOver(overlay);
    }
    List<Overlay.Part> before = overlay.parts();
    Memory added = new Memory(3);
    overlay = overlay.with(new Overlay.Part(100, 3, added, 0)).takeOver(overlay);
    assertEquals(before.size() - 1, overlay.parts().size());
    assertEquals(1, added.pins);
    assertEquals(0, made.get(50).pins);
    assertEquals(0, made.get(51).pins);
    assertEquals(1, made.get(49).pins);
    assertEquals(1, made.get(52).pins);
    assertSame(before.get(49), overlay.parts().get(49));
    assertSame(before.get(52), overlay.parts().get(51));
  }
}
