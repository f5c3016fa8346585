package dev.upcall.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.buffer.BlockRun;
import dev.upcall.buffer.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
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
    public void publish(BlockRun run) {
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
      List<Overlay> readers = new ArrayList<>();
      for (int step = 0; step < 150; step++) {
        overlay = step(random, model, overlay);
        if (random.nextInt(4) == 0) {
          readers.add(overlay.retain());
        }
        if (random.nextInt(5) == 0 && !readers.isEmpty()) {
          readers.remove(random.nextInt(readers.size())).release();
        }
        check(model, overlay, seed);
        pins(overlay, readers, seed);
      }
      Overlay.EMPTY.takeOver(overlay);
      pins(Overlay.EMPTY, readers, seed);
      readers.forEach(Overlay::release);
      made.forEach(memory -> assertEquals(0, memory.pins));
      made.clear();
    }
  }

  /** Some blocks come or go. */
  private Overlay step(Random random, Cell[] model, Overlay overlay) {
    if (random.nextInt(3) > 0) {
      Overlay.Part part = part(random);
      for (int i = 0; i < part.blocks(); i++) {
        model[(int) part.block() + i] = new Cell((Memory) part.lease(), part.leaseBlock() + i);
      }
      return overlay.with(part).takeOver(overlay);
    }
    int from = random.nextInt(BLOCKS);
    int to = from + 1 + random.nextInt(BLOCKS - from);
    for (int i = from; i < to; i++) {
      model[i] = null;
    }
    return overlay.without(from, to).takeOver(overlay);
  }

  @Test
  void twoWhoHaveTheSameDoNotTakeItFromEachOther() {
    for (int seed = 1; seed <= 60; seed++) {
      Random random = new Random(seed);
      Cell[][] models = {new Cell[BLOCKS], new Cell[BLOCKS]};
      Overlay[] overlays = {Overlay.EMPTY, Overlay.EMPTY};
      List<Overlay> readers = new ArrayList<>();
      for (int step = 0; step < 150; step++) {
        int which = random.nextInt(2);
        if (random.nextInt(20) == 0) {
          models[which] = models[1 - which].clone();
          overlays[which] = overlays[1 - which].takeOver(overlays[which]);
        } else {
          overlays[which] = step(random, models[which], overlays[which]);
        }
        if (random.nextInt(4) == 0) {
          readers.add(overlays[random.nextInt(2)].retain());
        }
        if (random.nextInt(5) == 0 && !readers.isEmpty()) {
          readers.remove(random.nextInt(readers.size())).release();
        }
        check(models[0], overlays[0], seed);
        check(models[1], overlays[1], seed);
        for (Overlay seen : readers) {
          seen.parts().forEach(part -> assertTrue(((Memory) part.lease()).pins > 0));
        }
      }
      readers.forEach(Overlay::release);
      List<Overlay.Part> both = new ArrayList<>(overlays[0].parts());
      both.addAll(overlays[1].parts());
      pinned(both, seed);
      Overlay.EMPTY.takeOver(overlays[0]);
      Overlay.EMPTY.takeOver(overlays[1]);
      made.forEach(memory -> assertEquals(0, memory.pins));
      made.clear();
    }
  }

  @Test
  void manyPartsAreFoundAndNumbered() {
    int count = 5000;
    Random random = new Random(1);
    List<Integer> blocks = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(blocks, random);
    Overlay overlay = Overlay.EMPTY;
    for (int block : blocks) {
      Memory memory = new Memory(1);
      made.add(memory);
      overlay = overlay.with(new Overlay.Part(2L * block, 1, memory, 0)).takeOver(overlay);
    }
    assertEquals(count, overlay.parts().size());
    for (int i = 0; i < count; i++) {
      assertEquals(2L * i, overlay.parts().get(i).block());
      assertSame(overlay.parts().get(i), overlay.ceiling(2L * i));
      assertSame(overlay.parts().get(i), overlay.ceiling(2L * i - 1));
    }
    Overlay all = overlay.retain();
    Collections.shuffle(blocks, random);
    for (int block : blocks.subList(0, count - 10)) {
      overlay = overlay.without(2L * block, 2L * block + 1).takeOver(overlay);
    }
    assertEquals(10, overlay.blocks());
    assertEquals(10, overlay.parts().size());
    made.forEach(memory -> assertEquals(1, memory.pins));
    all.release();
    assertEquals(10, made.stream().mapToInt(memory -> memory.pins).sum());
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

  /** Each part that the owner has, or that somebody reads, has one pin. */
  private void pins(Overlay overlay, List<Overlay> readers, int seed) {
    Set<Overlay.Part> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.addAll(overlay.parts());
    readers.forEach(reader -> seen.addAll(reader.parts()));
    pinned(seen, seed);
  }

  private void pinned(Collection<Overlay.Part> each, int seed) {
    for (Memory memory : made) {
      long pins = each.stream().filter(part -> part.lease() == memory).count();
      assertEquals(pins, memory.pins, "seed " + seed);
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
