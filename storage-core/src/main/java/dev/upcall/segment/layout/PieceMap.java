package dev.upcall.segment.layout;

import dev.upcall.io.Disk;
import dev.upcall.tree.PageRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
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
 * <p>Of a file with many pieces most are <em>folded</em>: a tree has them ({@link MapTrees}), and
 * its content, which stands still until the next folding, is what pieces here are ranges of, beside
 * what was edited since then.
 *
 * <pre>
 *  content      [ 0 .. p ) [ inserted ) [ p .. q ) [ r .. end )          this map
 *                  |           |            |          |
 *  tree         [ 0 ....................................... bytes )       numbers below the edge
 *  block space  [ 0 ....................... edge ) [ inserted ...         numbers from the edge on
 * </pre>
 *
 * <p>Any thread.
 */
public final class PieceMap {
  /** The most bytes that the pieces take which are stored in an inode. */
  public static final int MAX_BYTES = 400;

  /** What the stored form of {@link Folded} takes. */
  static final int FOLDED_BYTES = PageRef.ENCODED_BYTES + 3 * Long.BYTES;

  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** No block space is longer: so far from the largest number that one more block is a number. */
  private static final long MAX_SPACE_BYTES = Long.MAX_VALUE - (1L << 32);

  private static final int FIXED_BYTES = Long.BYTES + Short.BYTES;

  private final @Nullable Folded folded;
  private final long spaceBytes;
  private final List<Piece> pieces;

  /** Where in the content each piece begins, and the content's size. */
  private final long[] starts;

  /**
   * Content that lies together.
   *
   * @param bytes how many, at least one
   * @param from the first of them: in the block space, or below the edge in the tree's content
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
   * The tree with most pieces of a file.
   *
   * @param root where it begins
   * @param bytes of its content, which is all or part of the block space below the edge
   * @param edge numbers of bytes below are those of the tree's content, others those of the block
   *     space; whole blocks, and more than both had when it was folded
   * @param pieces how many it has
   */
  public record Folded(PageRef root, long bytes, long edge, long pieces) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Folded(PageRef page, long size, long limit, long count)
          && root.samePageAs(page)
          && bytes == size
          && edge == limit
          && pieces == count;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(root.addressA());
    }
  }

  /**
   * A byte of the content.
   *
   * @param at its number: where it is in the block space, or in the tree's content
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

  /**
   * A range of the content that is in one piece.
   *
   * @param range the range as a piece
   * @param afterMore whether bytes of the piece come before it
   * @param beforeMore whether bytes of the piece come behind it
   */
  public record Part(Piece range, boolean afterMore, boolean beforeMore) {
    /** The blocks that only this part of its piece names; null: none. */
    public LayoutEditor.@Nullable Range ownBlocks() {
      long first = afterMore ? blocks(range.from()) : range.from() / BLOCK;
      long end = beforeMore ? range.end() / BLOCK : blocks(range.end());
      return first < end ? new LayoutEditor.Range(first, end) : null;
    }
  }

  private PieceMap(@Nullable Folded folded, long spaceBytes, List<Piece> pieces) {
    this.folded = folded;
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
    return of(null, spaceBytes, pieces);
  }

  /** The same, over a tree; null: there is none. */
  public static PieceMap of(@Nullable Folded folded, long spaceBytes, List<Piece> pieces) {
    try {
      return new PieceMap(folded, spaceBytes, pieces);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("pieces of more bytes than can be", e);
    }
  }

  /** The map of content of so many bytes that is its block space. */
  public static PieceMap whole(long sizeBytes) {
    return new PieceMap(null, sizeBytes, List.of(new Piece(sizeBytes, 0)));
  }

  /** The map of content that consists of these pieces, one at least; neighbours are joined. */
  public static PieceMap made(List<Piece> added) {
    List<Piece> pieces = new ArrayList<>(added.size());
    addAll(pieces, added);
    return new PieceMap(null, end(0, pieces), pieces);
  }

  /** The map of the content of a tree. */
  static PieceMap folded(Folded tree) {
    return new PieceMap(tree, tree.edge(), List.of(new Piece(tree.bytes(), 0)));
  }

  private @Nullable String wrong() {
    if (pieces.isEmpty()) {
      return "a map without pieces";
    }
    Folded tree = folded;
    if (tree != null
        && (tree.bytes() <= 0
            || tree.pieces() <= 0
            || tree.edge() <= tree.bytes()
            || tree.edge() % BLOCK != 0
            || tree.edge() > spaceBytes)) {
      return "a tree of %d pieces, %d bytes below %d of a block space of %d"
          .formatted(tree.pieces(), tree.bytes(), tree.edge(), spaceBytes);
    }
    Piece before = null;
    long past = 0;
    for (Piece piece : pieces) {
      boolean isInTree = isInTree(piece.from());
      long end = tree != null && isInTree ? tree.bytes() : spaceBytes;
      if (piece.bytes() <= 0 || piece.from() < 0 || piece.from() > end - piece.bytes()) {
        return "%d bytes at %d of %d".formatted(piece.bytes(), piece.from(), end);
      }
      if (before != null && before.end() == piece.from()) {
        return "two pieces that are one, at " + piece.from();
      }
      if (isInTree && piece.from() < past) {
        return "two pieces name byte %d of a tree, or not in its order".formatted(piece.from());
      }
      past = isInTree ? piece.end() : past;
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

  /** Those that name blocks. */
  private List<Piece> ascending() {
    List<Piece> sorted = new ArrayList<>(pieces);
    sorted.removeIf(piece -> isInTree(piece.from()));
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

  /** The tree with more pieces, or null: these are all. */
  public @Nullable Folded folded() {
    return folded;
  }

  /** Whether the byte with a number is one of the tree's content. */
  public boolean isInTree(long number) {
    Folded tree = folded;
    return tree != null && number < tree.edge();
  }

  /** How many pieces the content has, about: of the tree's all are counted. */
  public long pieceCount() {
    Folded tree = folded;
    return pieces.size() + (tree == null ? 0 : tree.pieces());
  }

  /** Which byte this is of the content; where that is in the tree's, the tree says the rest. */
  public Spot find(long offset) {
    int index = indexOf(offset);
    Piece piece = pieces.get(index);
    long skip = offset - starts[index];
    return new Spot(piece.from() + skip, piece.bytes() - skip);
  }

  /** The piece with a byte of the content; of the tree's content, what is not cut out around it. */
  public Stretch around(long offset) {
    int index = indexOf(offset);
    return new Stretch(starts[index], pieces.get(index).bytes());
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
   *
   * @param find where a byte of the content is in the block space
   */
  public int shared(Stretch removed, LongFunction<Spot> find) {
    long behindRemoved = removed.offset() + removed.bytes();
    if (removed.offset() == 0
        || behindRemoved == sizeBytes()
        || indexOf(removed.offset() - 1) != indexOf(behindRemoved)) {
      return 0;
    }
    Spot before = find.apply(removed.offset() - 1);
    long past = 1 + removed.bytes();
    // What lies behind its end is another piece's, and so is the block.
    long left = Math.max(0, before.left() - past);
    long behind = before.at() + past;
    long end = blocks(before.at() + 1) * BLOCK;
    return (int) Math.clamp(end - behind, 0, left);
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
    return withAll(removed, added == null ? List.of() : List.of(added));
  }

  /** The same with several pieces, in the order of the content, from the {@link #next} place on. */
  public PieceMap withAll(Stretch removed, List<Piece> added) {
    List<Piece> after = new ArrayList<>(pieces.size() + added.size() + 1);
    long behindRemoved = removed.offset() + removed.bytes();
    List<Piece> coming = added;
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      long before = Math.clamp(removed.offset() - starts[i], 0, piece.bytes());
      long gone = Math.clamp(behindRemoved - starts[i], 0, piece.bytes());
      add(after, before, piece.from());
      if (starts[i] + piece.bytes() >= removed.offset()) {
        addAll(after, coming);
        coming = List.of();
      }
      long behind = Math.max(before, gone);
      add(after, piece.bytes() - behind, piece.from() + behind);
    }
    // What no piece is a range of any more is of no use.
    boolean hasTree = after.stream().anyMatch(piece -> isInTree(piece.from()));
    return new PieceMap(hasTree ? folded : null, end(spaceBytes, added), after);
  }

  /** A range of the content by its pieces. */
  public List<Part> parts(Stretch range) {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      long from = Math.clamp(range.offset() - starts[i], 0, piece.bytes());
      long to = Math.clamp(range.offset() + range.bytes() - starts[i], 0, piece.bytes());
      if (from < to) {
        Piece some = new Piece(to - from, piece.from() + from);
        parts.add(new Part(some, from > 0, to < piece.bytes()));
      }
    }
    return parts;
  }

  /** The end of the block space with these pieces. */
  private static long end(long before, List<Piece> added) {
    return Math.max(before, added.stream().mapToLong(Piece::end).max().orElse(0));
  }

  private static void addAll(List<Piece> pieces, List<Piece> added) {
    added.forEach(piece -> add(pieces, piece.bytes(), piece.from()));
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
    return toBytes <= spaceBytes ? this : new PieceMap(folded, toBytes, pieces);
  }

  /** The same, as if no number behind the last piece had been given out. */
  public PieceMap forgetting() {
    long end = pieces.stream().mapToLong(Piece::end).max().orElseThrow();
    Folded tree = folded;
    return new PieceMap(tree, tree == null ? end : Math.max(end, tree.edge()), pieces);
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

  /** The blocks that pieces name, ascending, in runs that do not touch; those of the tree apart. */
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

  /** Blocks of so many bytes. */
  private static long blocks(long bytes) {
    return (bytes + BLOCK - 1) / BLOCK;
  }

  // ------------------------------------------------------------------ stored form

  /** How many bytes of the stored form those pieces take that are here. */
  public int pieceBytes() {
    return encodedBytes() - (folded == null ? 0 : FOLDED_BYTES);
  }

  /** How many bytes the stored form takes. */
  public int encodedBytes() {
    int bytes = FIXED_BYTES + (folded == null ? 0 : FOLDED_BYTES);
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
        && Objects.equals(map.folded, folded)
        && map.spaceBytes == spaceBytes
        && map.pieces.equals(pieces);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(spaceBytes) + pieces.hashCode();
  }

  @Override
  public String toString() {
    return "PieceMap[folded=%s, spaceBytes=%d, pieces=%s]".formatted(folded, spaceBytes, pieces);
  }
}
