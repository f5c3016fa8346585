package dev.upcall.bench.largeobject;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.edit.EditPlanner;
import dev.upcall.edit.Eos;
import dev.upcall.edit.Esm;
import dev.upcall.edit.Starburst;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects on the paper's machine against arrays, and what single operations cost. */
class LargeObjectTest {
  private static final int STEPS = 1_200;
  private static final int MOST_BYTES = 4 << 20;
  private static final int KIB = 1024;

  /** A disk that holds what is written. */
  private static final class Memory implements Contents {
    private byte[] disk = new byte[1 << 26];
    private byte[] fresh = new byte[0];

    @Override
    public void move(long from, long to, long bytes) {
      System.arraycopy(disk, (int) from, disk, (int) to, (int) bytes);
    }

    @Override
    public void put(long from, long to, long bytes) {
      System.arraycopy(fresh, (int) from, disk, (int) to, (int) bytes);
    }

    byte[] content(LargeObject object) {
      byte[] content = new byte[(int) object.bytes()];
      int at = 0;
      for (Segment segment : object.segments()) {
        System.arraycopy(disk, (int) segment.address(0), content, at, (int) segment.bytes());
        at += (int) segment.bytes();
      }
      return content;
    }
  }

  static List<EditPlanner> policies() {
    return List.of(
        new Esm(PaperMachine.GEOMETRY, 1),
        new Esm(PaperMachine.GEOMETRY, 16),
        new Eos(PaperMachine.GEOMETRY, 1),
        new Eos(PaperMachine.GEOMETRY, 16),
        new Starburst(PaperMachine.GEOMETRY, Starburst.Copied.WHOLE),
        new Starburst(PaperMachine.GEOMETRY, Starburst.Copied.TAIL));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void contentIsThatOfAnArrayAndNoPageIsLost(EditPlanner policy) {
    Memory memory = new Memory();
    PaperMachine machine = new PaperMachine(memory);
    LargeObject object = new LargeObject(policy, machine);
    SplittableRandom random = new SplittableRandom(3);
    byte[] model = new byte[0];
    for (int step = 0; step < STEPS; step++) {
      int most = 1 << (4 + random.nextInt(14));
      boolean shrinks = random.nextInt(MOST_BYTES) < model.length;
      int offset = random.nextInt(model.length + 1);
      int removed =
          shrinks || random.nextInt(4) == 0
              ? Math.min(random.nextInt(most), model.length - offset)
              : 0;
      int inserted = shrinks && removed > 0 ? 0 : 1 + random.nextInt(most);
      memory.fresh = new byte[inserted];
      random.nextBytes(memory.fresh);
      if (step < 40 || random.nextInt(10) == 0) {
        inserted = memory.fresh.length;
        object.append(inserted);
        offset = model.length;
        removed = 0;
      } else {
        object.splice(offset, removed, inserted);
      }
      if (random.nextInt(10) == 0) {
        object.trim();
      }
      byte[] edited = Arrays.copyOf(model, model.length - removed + inserted);
      System.arraycopy(memory.fresh, 0, edited, offset, inserted);
      System.arraycopy(
          model, offset + removed, edited, offset + inserted, model.length - offset - removed);
      model = edited;
      if (step % 10 == 0) {
        assertArrayEquals(model, memory.content(object));
        object.trim();
        long pages = object.segments().stream().mapToLong(Segment::pages).sum();
        assertEquals(pages + object.indexPages(), machine.usedPages());
      }
    }
    assertTrue(model.length > 100_000, "an object of " + model.length + " bytes");
  }

  private static LargeObject made(EditPlanner policy, PaperMachine machine, int appendBytes) {
    LargeObject object = new LargeObject(policy, machine);
    for (int i = 0; i < 10 * KIB * KIB / appendBytes; i++) {
      object.append(appendBytes);
    }
    object.trim();
    return object;
  }

  @Test
  void indexesAreAsLargeAsThePaperSays() {
    PaperMachine machine = new PaperMachine();
    assertEquals(
        9, made(new Esm(PaperMachine.GEOMETRY, 1), machine, 64 * KIB).indexPages(), "1 page");
    assertEquals(
        2, made(new Esm(PaperMachine.GEOMETRY, 4), machine, 64 * KIB).indexPages(), "4 pages");
    assertEquals(0, made(new Eos(PaperMachine.GEOMETRY, 1), machine, 64 * KIB).indexPages(), "EOS");
  }

  @Test
  void creationCostsACallForEachAppendToADoublingSegment() {
    PaperMachine machine = new PaperMachine();
    made(new Eos(PaperMachine.GEOMETRY, 4), machine, 512 * KIB);
    assertEquals(new Cost(0, 0, 20, 2560), machine.cost());
    assertEquals(20 * 33 + 2560 * 4, machine.cost().millis());
  }

  @Test
  void readsGoThroughThePoolAtTheirEnds() {
    Pager pager = new Pager();
    pager.read(100, 10, 110);
    assertEquals(new Cost(1, 1, 0, 0), pager.cost());
    pager.read(100, 0, 3 * 4096 + 1);
    assertEquals(new Cost(2, 4, 0, 0), pager.cost(), "three of four pages were missing");
    pager.read(100, 10, 110);
    assertEquals(new Cost(2, 4, 0, 0), pager.cost(), "still there");
    pager.read(200, 1, 25 * 4096 + 1);
    assertEquals(new Cost(5, 30, 0, 0), pager.cost(), "begin, middle and end");
    pager.read(200, 24 * 4096, 26 * 4096);
    assertEquals(new Cost(6, 31, 0, 0), pager.cost(), "the end was in the pool, the middle not");
    pager.read(300, 0, 100 * 4096);
    assertEquals(new Cost(7, 131, 0, 0), pager.cost(), "whole pages go straight");
  }

  @Test
  void theOldestPageLeavesThePool() {
    Pager pager = new Pager();
    for (int page = 0; page < 12; page++) {
      pager.read(page, 0, 1);
    }
    pager.read(0, 0, 1);
    pager.read(12, 0, 1);
    assertEquals(13, pager.cost().reads());
    pager.read(0, 0, 1);
    assertEquals(13, pager.cost().reads(), "page 0 was used again, page 1 left");
    pager.read(1, 0, 1);
    assertEquals(14, pager.cost().reads());
    pager.forget(1, 1);
    pager.read(1, 0, 1);
    assertEquals(15, pager.cost().reads(), "what is free is forgotten");
  }

  @Test
  void anUpdateOfStarburstCopiesAllThroughABuffer() {
    PaperMachine machine = new PaperMachine();
    Starburst policy = new Starburst(PaperMachine.GEOMETRY, Starburst.Copied.WHOLE);
    LargeObject object = made(policy, machine, 4 * KIB);
    Cost before = machine.cost();
    object.splice(5_000_000, 0, 100);
    Cost cost = machine.cost().since(before);
    assertTrue(cost.pagesWritten() == 2561 && cost.pagesRead() >= 2560, cost::toString);
    assertTrue(cost.writes() >= 21 && cost.writes() <= 33, cost::toString);
    assertTrue(cost.reads() >= 21 && cost.reads() <= 34, cost::toString);
  }
}
