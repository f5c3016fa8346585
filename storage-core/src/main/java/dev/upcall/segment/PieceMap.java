package dev.upcall.segment;

import dev.upcall.io.Disk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which ranges of a segment's block space, in which order, make up its content: an immutable value
 * of a file that was edited in the middle. What lies where by block number (extents, unplaced
 * content, counts of clones) knows nothing of it; a file without a map is its block space.
 *
 * <p>Block numbers are given out upwards and once in the life of a map, and no two pieces name the
 * same block. So a block that no piece names any more is free, whatever became of the others, and
 * whoever still reads an older map meets no other content under its numbers. Behind the end of the
 * block space, in its last block, all bytes are zero.
 *
 * <p>Any thread.
 */
public final class PieceMap {
  /** The most bytes that the stored form of a map in an inode takes. */
  public static final int MAX_BYTES = 400;

  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** No block space is longer: so far from the largest number that one more block is a number. */
  private static final long MAX_SPACE_BYTES = Long.MAX_VALUE - (1L << 32);

  private static final int FIXED_BYTES = Long.BYTES + Short.BYTES;

  private final long spaceBytes;
  private final List<Piece> pieces;

  /** Where in the content each piece begins, and the content's size. */
  private final long[] starts;

  /**
   * Content that lies together.
   *
   * @param bytes how many, at least one
   * @param from the first of them, in the block space
   */
  public record Piece(long bytes, long from) {
    /** The first byte of the block space behind it. */
    public long end() {
      return from + bytes;
    }

    private long firstBlock() {
      return from / BLOCK;
    }

    private long endBlock() {
      return blocks(end());
    }
  }

  /**
   * A byte of the content.
   *
   * @param at where it is in the block space
   * @param left how many bytes lie together from it on
   */
  public record Spot(long at, long left) {}

  /**
   * A range of the content.
   *
   * @param offset the first byte
   * @param bytes how many
   */
  public record Stretch(long offset, long bytes) {}

  private PieceMap(long spaceBytes, List<Piece> pieces) {
    this.spaceBytes = spaceBytes;
    this.pieces = List.copyOf(pieces);
    this.starts = new long[pieces.size() + 1];
    for (int i = 0; i < pieces.size(); i++) {
      starts[i + 1] = Math.addExact(starts[i], pieces.get(i).bytes());
    }
    String wrong = wrong();
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
  }

  /**
   * The map of these pieces.
   *
   * @param spaceBytes where the block space ends
   * @throws IllegalArgumentException if they are none: the message says why
   */
  public static PieceMap of(long spaceBytes, List<Piece> pieces) {
    try {
      return new PieceMap(spaceBytes, pieces);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("pieces of more bytes than can be", e);
    }
  }

  /** The map of content of so many bytes that is its block space. */
  public static PieceMap whole(long sizeBytes) {
    return new PieceMap(sizeBytes, List.of(new Piece(sizeBytes, 0)));
  }

  private @Nullable String wrong() {
    if (pieces.isEmpty()) {
      return "a map without pieces";
    }
    Piece before = null;
    for (Piece piece : pieces) {
      if (piece.bytes() <= 0 || piece.from() < 0 || piece.from() > spaceBytes - piece.bytes()) {
        return "%d bytes at %d of a block space of %d"
            .formatted(piece.bytes(), piece.from(), spaceBytes);
      }
      if (before != null && before.end() == piece.from()) {
        return "two pieces that are one, at " + piece.from();
      }
      before = piece;
    }
    long behind = 0;
    for (Piece piece : ascending()) {
      if (piece.firstBlock() < behind) {
        return "two pieces name block " + piece.firstBlock();
      }
      behind = piece.endBlock();
    }
    return null;
  }

  private List<Piece> ascending() {
    List<Piece> sorted = new ArrayList<>(pieces);
    sorted.sort(Comparator.comparingLong(Piece::from));
    return sorted;
  }

  /** How many bytes the content has. */
  public long sizeBytes() {
    return starts[pieces.size()];
  }

  /** Where the block space ends: behind it no block number was given out. */
  public long spaceBytes() {
    return spaceBytes;
  }

  /** Where the block space ends of content of a size, with or without a map. */
  public static long spaceBytes(@Nullable PieceMap map, long sizeBytes) {
    return map == null ? sizeBytes : map.spaceBytes;
  }

  /** The pieces, in the order of the content. */
  public List<Piece> pieces() {
    return pieces;
  }

  /** Where a byte of the content is. */
  public Spot find(long offset) {
    int index = indexOf(offset);
    Piece piece = pieces.get(index);
    long skip = offset - starts[index];
    return new Spot(piece.from() + skip, piece.bytes() - skip);
  }

  /** What follows the piece with a byte, or null: it is the last. */
  @Nullable Piece following(long offset) {
    int next = indexOf(offset) + 1;
    return next < pieces.size() ? pieces.get(next) : null;
  }

  private int indexOf(long offset) {
    if (offset < 0 || offset >= sizeBytes()) {
      throw new IndexOutOfBoundsException(
          "byte " + offset + " of content of " + sizeBytes() + " bytes");
    }
    int found = Arrays.binarySearch(starts, offset);
    return found >= 0 ? found : -found - 2;
  }

  // ------------------------------------------------------------------ edits

  /** Content that has grown, by zeros. */
  public PieceMap grown(long newSizeBytes) {
    long more = newSizeBytes - sizeBytes();
    return more <= 0 ? this : with(new Stretch(sizeBytes(), 0), new Piece(more, next(sizeBytes())));
  }

  /**
   * How many bytes behind a range that goes lie in one block with bytes before it: they must be
   * taken to a block of their own, since two pieces would name that block.
   */
  public int shared(Stretch removed) {
    long end = removed.offset() + removed.bytes();
    if (removed.offset() == 0 || end == sizeBytes()) {
      return 0;
    }
    int index = indexOf(end);
    if (indexOf(removed.offset() - 1) != index) {
      return 0;
    }
    Spot before = find(removed.offset() - 1);
    Spot behind = find(end);
    long block = behind.at() / BLOCK;
    return before.at() / BLOCK == block
        ? (int) Math.min(behind.left(), (block + 1) * BLOCK - behind.at())
        : 0;
  }

  /**
   * Where in the block space new bytes go that come in at a place of the content: behind its end.
   */
  public long next(long offset) {
    boolean goesOn = offset > 0 && pieces.get(indexOf(offset - 1)).end() == spaceBytes;
    return goesOn && starts[indexOf(offset - 1) + 1] == offset
        ? spaceBytes
        : blocks(spaceBytes) * BLOCK;
  }

  /**
   * Content in which something comes in the place of a range. What is {@link #shared} must be in
   * the range.
   *
   * @param added what comes, at its {@link #next} place; or null
   */
  public PieceMap with(Stretch removed, @Nullable Piece added) {
    List<Piece> after = new ArrayList<>(pieces.size() + 2);
    long end = removed.offset() + removed.bytes();
    Piece coming = added;
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      long before = Math.clamp(removed.offset() - starts[i], 0, piece.bytes());
      long gone = Math.clamp(end - starts[i], 0, piece.bytes());
      add(after, before, piece.from());
      if (coming != null && starts[i] + piece.bytes() >= removed.offset()) {
        add(after, coming.bytes(), coming.from());
        coming = null;
      }
      long behind = Math.max(before, gone);
      add(after, piece.bytes() - behind, piece.from() + behind);
    }
    return new PieceMap(added == null ? spaceBytes : Math.max(spaceBytes, added.end()), after);
  }

  private static void add(List<Piece> pieces, long bytes, long from) {
    if (bytes == 0) {
      return;
    }
    Piece last = pieces.isEmpty() ? null : pieces.getLast();
    if (last != null && last.end() == from) {
      pieces.set(pieces.size() - 1, new Piece(last.bytes() + bytes, last.from()));
    } else {
      pieces.add(new Piece(bytes, from));
    }
  }

  /** Whether there are block numbers for so many bytes more. */
  public boolean hasSpace(long moreBytes) {
    return moreBytes <= MAX_SPACE_BYTES - spaceBytes;
  }

  /** The same, with the block numbers up to there given out. */
  public PieceMap skipping(long toBytes) {
    return toBytes <= spaceBytes ? this : new PieceMap(toBytes, pieces);
  }

  /** The least content that, copied to a new place, leaves fewer pieces; there are two at least. */
  public Stretch cheapestMerge() {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i + 1 < pieces.size(); i++) {
      long bytes = merged(i);
      if (bytes < least) {
        least = bytes;
        best = i;
      }
    }
    boolean firstStays = pieces.get(best).end() == spaceBytes;
    return new Stretch(starts[firstStays ? best + 1 : best], least);
  }

  private long merged(int first) {
    long second = pieces.get(first + 1).bytes();
    return pieces.get(first).end() == spaceBytes ? second : pieces.get(first).bytes() + second;
  }

  // ------------------------------------------------------------------ blocks

  /** The blocks that pieces name, ascending, in runs that do not touch. */
  public List<LayoutEditor.Range> blocks() {
    List<LayoutEditor.Range> runs = new ArrayList<>();
    for (Piece piece : ascending()) {
      LayoutEditor.Range last = runs.isEmpty() ? null : runs.getLast();
      if (last != null && last.to() == piece.firstBlock()) {
        runs.set(runs.size() - 1, new LayoutEditor.Range(last.from(), piece.endBlock()));
      } else {
        runs.add(new LayoutEditor.Range(piece.firstBlock(), piece.endBlock()));
      }
    }
    return runs;
  }

  /** The blocks that content of so many bytes names, with or without a map. */
  public static List<LayoutEditor.Range> blocks(@Nullable PieceMap map, long sizeBytes) {
    if (map != null) {
      return map.blocks();
    }
    return sizeBytes == 0 ? List.of() : List.of(new LayoutEditor.Range(0, blocks(sizeBytes)));
  }

  /** The blocks of some runs that others do not have; both ascending. */
  public static List<LayoutEditor.Range> without(
      List<LayoutEditor.Range> runs, List<LayoutEditor.Range> others) {
    List<LayoutEditor.Range> rest = new ArrayList<>();
    for (LayoutEditor.Range run : runs) {
      long from = run.from();
      for (LayoutEditor.Range other : others) {
        if (other.to() <= from || other.from() >= run.to()) {
          continue;
        }
        if (other.from() > from) {
          rest.add(new LayoutEditor.Range(from, other.from()));
        }
        from = other.to();
      }
      if (from < run.to()) {
        rest.add(new LayoutEditor.Range(from, run.to()));
      }
    }
    return rest;
  }

  /** Blocks of so many bytes. */
  private static long blocks(long bytes) {
    return (bytes + BLOCK - 1) / BLOCK;
  }

  // ------------------------------------------------------------------ stored form

  /** How many bytes the stored form takes. */
  public int encodedBytes() {
    int bytes = FIXED_BYTES;
    for (Piece piece : pieces) {
      bytes += numberBytes(piece.bytes()) + numberBytes(piece.from());
    }
    return bytes;
  }

  /** Bytes of a number in groups of seven bits. */
  private static int numberBytes(long number) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(number) + 6) / 7);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PieceMap map
        && map.spaceBytes == spaceBytes
        && map.pieces.equals(pieces);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(spaceBytes) + pieces.hashCode();
  }

  @Override
  public String toString() {
    return "PieceMap[spaceBytes=" + spaceBytes + ", pieces=" + pieces + "]";
  }
}
