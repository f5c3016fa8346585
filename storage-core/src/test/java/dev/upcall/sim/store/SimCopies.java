package dev.upcall.sim.store;

import dev.upcall.access.SegmentEdits;
import dev.upcall.access.Segments;
import dev.upcall.sim.store.model.SimEdit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ranges that one change copies into a file, of another or of itself, and perhaps an edit behind
 * them.
 *
 * @param from the other file, or the same
 * @param to the file that gets them
 */
record SimCopies(long from, long to, List<Copy> copies, @Nullable SimEdit last) {
  private static final int MOST_COPIES = 3;
  private static final int LARGE_BYTES = 300_000;

  /**
   * A range and its place.
   *
   * @param own whether it is one of the file itself, as the copies before leave it
   */
  private record Copy(boolean own, int from, int bytes, int offset, int removed) {}

  /** By what both files have at present; others may change them before it is done. */
  static SimCopies draw(long from, long to, int sourceSize, int size, SplittableRandom random) {
    List<Copy> copies = new ArrayList<>();
    int present = size;
    for (int i = 1 + random.nextInt(MOST_COPIES); i > 0; i--) {
      boolean own = from == to || random.nextInt(4) == 0;
      int have = own ? present : sourceSize;
      int first = near(random.nextInt(have + 1), random);
      int bytes = near(random.nextInt(have - first + 1), random);
      // What is large is copied over, so that no file grows for ever.
      boolean appends = random.nextInt(3) == 0 && present <= LARGE_BYTES;
      int offset = appends ? present : near(random.nextInt(present + 1), random);
      boolean over = present > LARGE_BYTES || random.nextBoolean();
      int removed = over ? Math.min(bytes, present - offset) : 0;
      copies.add(new Copy(own, first, bytes, offset, removed));
      present += bytes - removed;
    }
    return new SimCopies(
        from, to, copies, random.nextInt(3) == 0 ? SimEdit.draw(present, random) : null);
  }

  /** Often at the border of a block. */
  private static int near(int number, SplittableRandom random) {
    return random.nextInt(3) == 0 ? number / 4096 * 4096 : number;
  }

  /** What becomes of the file, or null: not all of it can be done. */
  byte @Nullable [] of(byte[] source, byte[] before) {
    byte[] bytes = before;
    for (Copy copy : copies) {
      byte[] of = copy.own() || from == to ? bytes : source;
      if (copy.from() + copy.bytes() > of.length || copy.offset() + copy.removed() > bytes.length) {
        return null;
      }
      byte[] range = Arrays.copyOfRange(of, copy.from(), copy.from() + copy.bytes());
      bytes = new SimEdit(copy.offset(), copy.removed(), range).of(bytes);
    }
    SimEdit edit = last;
    if (edit == null) {
      return bytes;
    }
    return edit.offset() + edit.removed() > bytes.length ? null : edit.of(bytes);
  }

  /** Whether any of it is of the other file, which then must stay as it is. */
  boolean isOfAnother() {
    return from != to && copies.stream().anyMatch(copy -> !copy.own());
  }

  /** The same for the store. */
  List<SegmentEdits.Edit> edits() {
    List<SegmentEdits.Edit> edits = new ArrayList<>();
    for (Copy copy : copies) {
      edits.add(
          new SegmentEdits.Copy(
              copy.offset(),
              copy.removed(),
              Segments.Target.of(copy.own() ? to : from),
              copy.from(),
              copy.bytes()));
    }
    SimEdit edit = last;
    if (edit != null) {
      edits.add(
          new SegmentEdits.Splice(edit.offset(), edit.removed(), ByteBuffer.wrap(edit.bytes())));
    }
    return edits;
  }
}
