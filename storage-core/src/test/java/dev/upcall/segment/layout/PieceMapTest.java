package dev.upcall.segment.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.Disk;
import dev.upcall.segment.layout.LayoutEditor.Range;
import dev.upcall.segment.layout.PieceMap.Piece;
import dev.upcall.segment.layout.PieceMap.Stretch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Maps against content in an array, and against all that is no map. */
class PieceMapTest {
  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** A block space and the content that it makes up. */
  private static final class Model {
    private PieceMap map;
    private byte[] space;
    private byte[] content;

    Model(byte[] content) {
      this.map = PieceMap.whole(content.length);
      this.space = content.clone();
      this.content = content;
    }

    void splice(int offset, int removed, byte[] bytes) {
      Stretch gone = new Stretch(offset, removed);
      int shared = map.shared(gone, map::find);
      byte[] laid = new byte[bytes.length + shared];
      System.arraycopy(bytes, 0, laid, 0, bytes.length);
      System.arraycopy(content, offset + removed, laid, bytes.length, shared);
      Stretch all = new Stretch(offset, removed + shared);
      byte[] after = new byte[content.length - removed + bytes.length];
      System.arraycopy(content, 0, after, 0, offset);
      System.arraycopy(bytes, 0, after, offset, bytes.length);
      int rest = content.length - offset - removed;
      System.arraycopy(content, offset + removed, after, offset + bytes.length, rest);
      content = after;
      if (laid.length == 0) {
        map = map.with(all, null);
      } else {
        Piece added = new Piece(laid.length, map.next(offset));
        lay(added, laid);
        map = map.with(all, added);
      }
    }

    void merge() {
      Stretch least = map.cheapestMerge();
      byte[] together = new byte[(int) least.bytes()];
      System.arraycopy(content, (int) least.offset(), together, 0, together.length);
      Piece added = new Piece(together.length, map.next(least.offset()));
      lay(added, together);
      int before = map.pieces().size();
      map = map.with(least, added);
      assertTrue(map.pieces().size() < before, "fewer pieces");
    }

    private void lay(Piece added, byte[] bytes) {
      assertTrue(added.from() >= map.spaceBytes(), "a number that was given out");
      byte[] larger = new byte[(int) added.end()];
      System.arraycopy(space, 0, larger, 0, Math.min(space.length, larger.length));
      System.arraycopy(bytes, 0, larger, (int) added.from(), bytes.length);
      space = larger;
    }

    void check() {
      assertEquals(content.length, map.sizeBytes());
      byte[] found = new byte[content.length];
      for (int at = 0; at < found.length; ) {
        PieceMap.Spot spot = map.find(at);
        System.arraycopy(space, (int) spot.at(), found, at, (int) spot.left());
        at += (int) spot.left();
      }
      assertArrayEquals(content, found);
      assertEquals(map, PieceMap.of(map.spaceBytes(), map.pieces()));
    }
  }

  @Test
  void anyEditsMakeTheContentThatAnArrayHas() {
    for (int seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] first = new byte[1 + random.nextInt(5 * BLOCK)];
      random.nextBytes(first);
      Model model = new Model(first);
      for (int i = 0; i < 40; i++) {
        int size = model.content.length;
        int offset = random.nextInt(size + 1);
        boolean cuts = random.nextBoolean() && size > 1;
        int removed = cuts ? random.nextInt(Math.min(size - offset, size - 1) + 1) : 0;
        byte[] bytes = new byte[cuts && removed > 0 ? 0 : 1 + random.nextInt(BLOCK)];
        random.nextBytes(bytes);
        model.splice(offset, removed, bytes);
        model.check();
        if (random.nextInt(4) == 0 && model.map.pieces().size() > 1) {
          model.merge();
          model.check();
        }
      }
    }
  }

  @Test
  void whatFollowsInOneBlockIsToldAndNothingElse() {
    PieceMap whole = PieceMap.whole(3 * BLOCK);
    assertEquals(BLOCK - 100, whole.shared(new Stretch(100, 0), whole::find));
    assertEquals(BLOCK - 200, whole.shared(new Stretch(100, 100), whole::find));
    assertEquals(0, whole.shared(new Stretch(0, 100), whole::find), "nothing is before it");
    assertEquals(0, whole.shared(new Stretch(BLOCK, 0), whole::find), "a block ends there");
    assertEquals(
        0, whole.shared(new Stretch(100, BLOCK), whole::find), "the rest is in another block");
    assertEquals(0, whole.shared(new Stretch(3 * BLOCK, 0), whole::find), "nothing is behind it");
  }

  @Test
  void growthGoesOnAtTheEndOfTheBlockSpaceOrInANewBlock() {
    PieceMap whole = PieceMap.whole(BLOCK + 5);
    assertEquals(List.of(new Piece(BLOCK + 9, 0)), whole.grown(BLOCK + 9).pieces());
    PieceMap cut = whole.with(new Stretch(BLOCK, 5), null);
    assertEquals(
        List.of(new Piece(BLOCK, 0), new Piece(3, 2 * BLOCK)), cut.grown(BLOCK + 3).pieces());
    assertEquals(2 * BLOCK + 3, cut.grown(BLOCK + 3).spaceBytes());
    assertEquals(whole, whole.grown(7));
  }

  @Test
  void blocksThatNobodyNamesAreFound() {
    PieceMap map =
        PieceMap.of(9L * BLOCK, List.of(new Piece(BLOCK, 5 * BLOCK), new Piece(BLOCK + 1, BLOCK)));
    assertEquals(List.of(new Range(1, 3), new Range(5, 6)), map.blocks());
  }

  @Test
  void whatGoesGivesBackTheBlocksThatNothingElseNames() {
    PieceMap map =
        PieceMap.of(9L * BLOCK, List.of(new Piece(BLOCK, 5 * BLOCK), new Piece(BLOCK + 1, BLOCK)));
    assertEquals(
        List.of(new Range(5, 6), new Range(1, 3)), own(map, new Stretch(0, 2 * BLOCK + 1)));
    assertEquals(List.of(new Range(5, 6)), own(map, new Stretch(0, BLOCK + 5)));
    assertEquals(List.of(new Range(2, 3)), own(map, new Stretch(BLOCK + 5, BLOCK - 4)));
    assertEquals(List.of(), own(map, new Stretch(BLOCK + 5, BLOCK - 6)));
    assertEquals(List.of(), own(map, new Stretch(7, 0)));
  }

  private static List<Range> own(PieceMap map, Stretch gone) {
    return map.parts(gone).stream().map(PieceMap.Part::ownBlocks).filter(Objects::nonNull).toList();
  }

  @Test
  void whatIsNoMapIsRefused() {
    List<List<Piece>> wrong =
        List.of(
            List.of(),
            List.of(new Piece(0, 0)),
            List.of(new Piece(-1, 5)),
            List.of(new Piece(5, -1)),
            List.of(new Piece(3 * BLOCK + 1, 0)),
            List.of(new Piece(5, 0), new Piece(7, 5)),
            List.of(new Piece(5, 0), new Piece(5, 100)),
            List.of(new Piece(5, BLOCK), new Piece(BLOCK + 1, 0)));
    for (List<Piece> pieces : wrong) {
      assertThrows(
          IllegalArgumentException.class, () -> PieceMap.of(3 * BLOCK, pieces), pieces::toString);
    }
    List<Piece> tooMany = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      tooMany.add(new Piece(Long.MAX_VALUE / 2, i));
    }
    assertThrows(IllegalArgumentException.class, () -> PieceMap.of(Long.MAX_VALUE, tooMany));
    PieceMap whole = PieceMap.whole(10);
    assertThrows(IndexOutOfBoundsException.class, () -> whole.find(10));
    assertThrows(IndexOutOfBoundsException.class, () -> whole.find(-1));
  }

  @Test
  void spaceIsUsedUpOnce() {
    PieceMap whole = PieceMap.whole(Long.MAX_VALUE / 2);
    assertTrue(whole.hasSpace(Long.MAX_VALUE / 4));
    assertEquals(false, whole.hasSpace(Long.MAX_VALUE / 2));
  }
}
