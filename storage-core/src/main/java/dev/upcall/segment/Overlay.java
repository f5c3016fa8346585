package dev.upcall.segment;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.Lease;
import dev.upcall.segment.layout.ExtentEntry;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The unplaced content of one segment: whole blocks in frames that only the log holds. An immutable
 * value, in chunks that it shares with the values before and after it, so that a change costs the
 * same however much is unplaced.
 *
 * <p>Its owner, whose content it is, has one pin of each part's lease; {@link #takeOver} moves them
 * from value to value. Readers that {@link #retain} a value have no pins: what its owner gives up
 * while somebody still sees it is kept for them ({@link OverlayReaders}).
 */
public final class Overlay implements Unplaced {
  private static final int MAX_CHUNK_PARTS = 128;

  /** Of the one part that a small file has. */
  private static final int[] ONE_PART = {0, 1};

  /** Nothing unplaced. */
  public static final Overlay EMPTY = new Overlay(new Part[][] {}, 0, new OverlayReaders(), 0);

  /** None of them empty; never changed. */
  private final Part[][] chunks;

  /** The number of the first part of each chunk, and that of all parts. */
  private final int[] firsts;

  private final long blocks;
  private final OverlayReaders readers;

  /** How many values of one history came before. */
  private final long number;

  private Overlay(Part[][] chunks, long blocks, OverlayReaders readers, long number) {
    this.chunks = chunks;
    this.blocks = blocks;
    this.readers = readers;
    this.number = number;
    this.firsts = chunks.length == 1 && chunks[0].length == 1 ? ONE_PART : firsts(chunks);
  }

  private static int[] firsts(Part[][] chunks) {
    int[] firsts = new int[chunks.length + 1];
    for (int i = 0; i < chunks.length; i++) {
      firsts[i + 1] = firsts[i] + chunks[i].length;
    }
    return firsts;
  }

  /**
   * A run of unplaced blocks.
   *
   * @param block the first content block
   * @param blocks how many
   * @param lease the memory
   * @param leaseBlock where in the lease's memory the run starts, in blocks
   * @param since the number of the overlay that it came with; 0 before that
   */
  public record Part(long block, int blocks, Lease lease, int leaseBlock, long since)
      implements Piece {
    /** A part that is in no overlay yet. */
    public Part(long block, int blocks, Lease lease, int leaseBlock) {
      this(block, blocks, lease, leaseBlock, 0);
    }

    @Override
    public long end() {
      return block + blocks;
    }

    /**
     * The blocks lie at a place on the volume now, and are in a frame: who reads them there finds
     * them, if they are all that is in it.
     *
     * @param entries where, in the order of the blocks
     */
    public void publish(List<ExtentEntry> entries) {
      boolean whole = leaseBlock == 0 && blocks == lease.blocks();
      // A clone that shares the frame may have been placed before.
      if (entries.size() == 1 && whole && lease.firstBlock() < 0) {
        ExtentEntry entry = entries.getFirst();
        lease.publish(entry.run(entry.logicalBlock(), blocks));
      }
    }

    private Part slice(long from, long to, long number) {
      return new Part(
          from,
          Math.toIntExact(to - from),
          lease,
          leaseBlock + Math.toIntExact(from - block),
          number);
    }
  }

  /** Where a part is; behind the last one where there is none. */
  private record Spot(int chunk, int index) {}

  /** The parts, ascending. */
  public List<Part> parts() {
    return new Parts();
  }

  private final class Parts extends AbstractList<Part> implements RandomAccess {
    @Override
    public Part get(int index) {
      int found = Arrays.binarySearch(firsts, index);
      int chunk = found >= 0 ? found : -found - 2;
      return chunks[chunk][index - firsts[chunk]];
    }

    @Override
    public int size() {
      return firsts[chunks.length];
    }
  }

  @Override
  public boolean isEmpty() {
    return chunks.length == 0;
  }

  /** How many blocks are unplaced. */
  public long blocks() {
    return blocks;
  }

  @Override
  public @Nullable Part ceiling(long block) {
    Spot spot = firstBehind(block);
    return spot.chunk() < chunks.length ? chunks[spot.chunk()][spot.index()] : null;
  }

  /** The first part that ends behind a content block. */
  private Spot firstBehind(long block) {
    int low = 0;
    int high = chunks.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (chunks[middle][chunks[middle].length - 1].end() <= block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == chunks.length) {
      return new Spot(low, 0);
    }
    Part[] chunk = chunks[low];
    int first = 0;
    int last = chunk.length;
    while (first < last) {
      int middle = (first + last) >>> 1;
      if (chunk[middle].end() <= block) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return new Spot(low, first);
  }

  /**
   * This overlay without the content blocks [from, to). The result owns no pins until it {@link
   * #takeOver takes over} those of an overlay that has some.
   */
  public Overlay without(long from, long to) {
    return replaced(from, to, null);
  }

  /** This overlay with a part on top of whatever was there; of pins as {@link #without}. */
  public Overlay with(Part added) {
    return replaced(added.block(), added.end(), added);
  }

  private Overlay replaced(long from, long to, @Nullable Part added) {
    Spot first = firstBehind(from);
    List<Part> come = new ArrayList<>(3);
    long next = number + 1;
    long blocksNow = blocks;
    int chunk = first.chunk();
    int index = first.index();
    Part right = null;
    while (chunk < chunks.length && chunks[chunk][index].block() < to) {
      Part gone = chunks[chunk][index];
      blocksNow -= gone.blocks();
      if (gone.block() < from) {
        come.add(gone.slice(gone.block(), from, next));
      }
      if (gone.end() > to) {
        right = gone.slice(to, gone.end(), next);
      }
      index++;
      if (index == chunks[chunk].length) {
        chunk++;
        index = 0;
      }
    }
    Spot behind = new Spot(chunk, index);
    if (added != null) {
      come.add(new Part(added.block(), added.blocks(), added.lease(), added.leaseBlock(), next));
    }
    if (right != null) {
      come.add(right);
    }
    if (come.isEmpty() && behind.equals(first)) {
      return this;
    }
    for (Part part : come) {
      blocksNow += part.blocks();
    }
    Part[][] result = spliced(first, behind, come);
    OverlayReaders same = isEmpty() ? new OverlayReaders() : readers;
    return result.length == 0 ? EMPTY : new Overlay(result, blocksNow, same, next);
  }

  /** The chunks with parts in place of those from a spot to the one behind. */
  private Part[][] spliced(Spot first, Spot behind, List<Part> come) {
    int chunk = first.chunk();
    int from = first.index();
    if (chunk == chunks.length
        && chunk > 0
        && chunks[chunk - 1].length + come.size() <= MAX_CHUNK_PARTS) {
      // What edits and appends bring comes behind all there is.
      int last = chunks[chunk - 1].length;
      return splicedWithin(chunk - 1, last, last, come);
    }
    if (chunk == chunks.length || from == 0 && chunk > 0) {
      return splicedAcross(first, behind, come);
    }
    boolean toItsEnd = behind.chunk() == chunk + 1 && behind.index() == 0;
    int to = toItsEnd ? chunks[chunk].length : behind.index();
    boolean within = toItsEnd || behind.chunk() == chunk;
    return within
            && come.size() >= to - from
            && chunks[chunk].length - (to - from) + come.size() <= MAX_CHUNK_PARTS
        ? splicedWithin(chunk, from, to, come)
        : splicedAcross(first, behind, come);
  }

  /** As {@link #spliced}, where one chunk changes that does not become smaller, nor too large. */
  private Part[][] splicedWithin(int chunk, int from, int to, List<Part> come) {
    Part[] before = chunks[chunk];
    Part[] after = new Part[before.length - (to - from) + come.size()];
    System.arraycopy(before, 0, after, 0, from);
    for (int i = 0; i < come.size(); i++) {
      after[from + i] = come.get(i);
    }
    System.arraycopy(before, to, after, from + come.size(), before.length - to);
    checkAscending(Arrays.asList(after), from, from + come.size());
    Part[][] result = chunks.clone();
    result[chunk] = after;
    return result;
  }

  private Part[][] splicedAcross(Spot first, Spot behind, List<Part> come) {
    int from = first.chunk();
    int head = first.index();
    if (head == 0 && from > 0) { // what comes may fill up the chunk before
      from--;
      head = chunks[from].length;
    }
    if (chunks.length == 0) {
      return new Part[][] {come.toArray(Part[]::new)};
    }
    List<Part> parts = new ArrayList<>();
    if (head > 0) {
      parts.addAll(Arrays.asList(chunks[from]).subList(0, head));
    }
    parts.addAll(come);
    int to = behind.chunk();
    int index = behind.index();
    // What is cut, and what is so small that it would stay so.
    while (to < chunks.length
        && (index > 0 || to == from || parts.size() + chunks[to].length <= MAX_CHUNK_PARTS / 2)) {
      parts.addAll(Arrays.asList(chunks[to]).subList(index, chunks[to].length));
      to++;
      index = 0;
    }
    checkAscending(parts, head, head + come.size());
    int pieces = (parts.size() + MAX_CHUNK_PARTS - 1) / MAX_CHUNK_PARTS;
    Part[][] result = new Part[from + pieces + chunks.length - to][];
    System.arraycopy(chunks, 0, result, 0, from);
    for (int i = 0; i < pieces; i++) {
      int begin = parts.size() * i / pieces;
      int end = parts.size() * (i + 1) / pieces;
      result[from + i] = parts.subList(begin, end).toArray(Part[]::new);
    }
    System.arraycopy(chunks, to, result, from + pieces, chunks.length - to);
    return result;
  }

  /** Checks the parts [from, to) and those beside them. */
  private static void checkAscending(List<Part> parts, int from, int to) {
    for (int i = Math.max(1, from); i <= to && i < parts.size(); i++) {
      Part next = parts.get(i);
      Invariants.check(
          parts.get(i - 1).end() <= next.block(), "overlay parts overlap", next.block());
    }
  }

  /**
   * Takes over the pins of the owner of an overlay that this one comes in place of. Parts that both
   * have keep theirs; readers of the other one keep what they see.
   *
   * @return this
   */
  @SuppressWarnings("ReferenceEquality") // the same object, whose pin this is
  public Overlay takeOver(Overlay before) {
    int same = same(chunks, before.chunks);
    int sameBehind = sameBehind(chunks, before.chunks, same);
    Part[] now = parts(same, chunks.length - sameBehind);
    Part[] then = before.parts(same, before.chunks.length - sameBehind);
    // Most of a chunk that has changed is the same, too, which is seen without a look at its parts.
    int first = same(now, then);
    int behind = sameBehind(now, then, first);
    int thenEnd = then.length - behind;
    int old = first;
    List<Part> gone = new ArrayList<>();
    // Pinned before the others go: slices have the memory of what they are cut from.
    for (int i = first; i < now.length - behind; i++) {
      Part part = now[i];
      while (old < thenEnd && then[old].block() < part.block()) {
        gone.add(then[old++]);
      }
      if (old < thenEnd && then[old] == part) {
        old++;
      } else {
        part.lease().retain();
      }
    }
    gone.addAll(Arrays.asList(then).subList(old, thenEnd));
    for (Part part : gone) {
      before.readers.gone(part, before.number);
    }
    return this;
  }

  /** With how many of the same objects two arrays begin. */
  @SuppressWarnings("ReferenceEquality") // the same objects
  private static int same(Object[] some, Object[] others) {
    int most = Math.min(some.length, others.length);
    int same = 0;
    while (same < most && some[same] == others[same]) {
      same++;
    }
    return same;
  }

  /** With how many of the same objects two arrays end, apart from those that they begin with. */
  @SuppressWarnings("ReferenceEquality") // the same objects
  private static int sameBehind(Object[] some, Object[] others, int begun) {
    int most = Math.min(some.length, others.length) - begun;
    int same = 0;
    while (same < most && some[some.length - 1 - same] == others[others.length - 1 - same]) {
      same++;
    }
    return same;
  }

  /** The parts of the chunks [from, to); not to be changed. */
  private Part[] parts(int from, int to) {
    if (to - from == 1) {
      return chunks[from];
    }
    Part[] parts = new Part[firsts[to] - firsts[from]];
    for (int i = from; i < to; i++) {
      System.arraycopy(chunks[i], 0, parts, firsts[i] - firsts[from], chunks[i].length);
    }
    return parts;
  }

  /** The memory stays until the {@link #release}. The owner's thread, in its upcalls. */
  @Override
  public Overlay retain() {
    if (!isEmpty()) {
      readers.add(number);
    }
    return this;
  }

  @Override
  public void release() {
    if (!isEmpty()) {
      readers.remove(number);
    }
  }

  /** As {@link #retain}, by a pin of each part, where leases are those of an engine of threads. */
  public Overlay pin() {
    for (Part part : parts()) {
      part.lease().retain();
    }
    return this;
  }

  /** Gives the pins back; any thread, where leases are those of an engine of threads. */
  public void unpin() {
    for (Part part : parts()) {
      part.lease().release();
    }
  }
}
