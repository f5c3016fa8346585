package dev.upcall.nio.collected;

import dev.upcall.MetadataChange;
import dev.upcall.base.Invariants;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The part of one file's changes that becomes one commit: either writes, as stretches of bytes that
 * do not overlap, or a change of metadata. Guarded by whoever has it; not changed any more once it
 * is being committed.
 */
public final class Batch {
  /** Stretches with no more than this ride in the log together; see {@code docs/handles.md}. */
  private static final int MAX_SCATTERED_BYTES = 64 << 10;

  /** The memory of a change of metadata, with all that it hangs on. */
  static final int METADATA_BYTES = 512;

  private final TreeMap<Long, Stretch> stretches = new TreeMap<>();
  private final int maxBytes;
  private int bytes;
  private @Nullable MetadataChange metadata;

  /**
   * An empty one.
   *
   * @param maxBytes how much it takes of one stretch
   */
  public Batch(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** A change of metadata, to which others can be joined. */
  Batch(MetadataChange metadata) {
    this.maxBytes = 0;
    this.bytes = METADATA_BYTES;
    this.metadata = metadata;
  }

  /** The change of metadata; null if these are writes. */
  public @Nullable MetadataChange metadata() {
    return metadata;
  }

  /** Joins a later change of metadata, whose fields count where both have them. */
  void join(MetadataChange later) {
    MetadataChange joined = Invariants.present(metadata, "metadata that a change can be joined to");
    if (later.mode().isPresent()) {
      joined = joined.withMode(later.mode().getAsInt());
    }
    if (later.owner().isPresent()) {
      joined = joined.withOwner(later.owner().getAsLong());
    }
    if (later.createdNanos().isPresent()) {
      joined = joined.withCreatedNanos(later.createdNanos().getAsLong());
    }
    if (later.modifiedNanos().isPresent()) {
      joined = joined.withModifiedNanos(later.modifiedNanos().getAsLong());
    }
    metadata = joined;
  }

  /** Adjacent bytes, in pieces. */
  private final class Stretch {
    private static final int PIECE_BYTES = 256 << 10;
    private static final int FIRST_BYTES = 1 << 10;

    final long from;

    /** Whether they go to the end of the file, wherever that is by then. */
    final boolean atEnd;

    private final List<byte[]> pieces = new ArrayList<>();
    private int count;

    Stretch(long from, boolean atEnd) {
      this.from = from;
      this.atEnd = atEnd;
    }

    long end() {
      return from + count;
    }

    /** Sees to memory for what lies before an end; nothing else changes. */
    void reserve(long offset, int added) {
      int end = (int) (offset - from) + added;
      for (int reserved = count; reserved < end; ) {
        int within = reserved % PIECE_BYTES;
        int step = Math.min(end - reserved, PIECE_BYTES - within);
        reservePiece(reserved / PIECE_BYTES, within + step);
        reserved += step;
      }
    }

    /** Over what is there, and behind it; memory for it is reserved. */
    void put(long offset, ByteBuffer source) {
      int at = (int) (offset - from);
      int end = at + source.remaining();
      while (at < end) {
        int within = at % PIECE_BYTES;
        int step = Math.min(end - at, PIECE_BYTES - within);
        source.get(pieces.get(at / PIECE_BYTES), within, step);
        at += step;
      }
      bytes += Math.max(0, end - count);
      count = Math.max(count, end);
    }

    /** Sees to a piece with room for so much; only the last one grows. */
    private void reservePiece(int number, int needed) {
      if (number == pieces.size()) {
        pieces.add(new byte[number == 0 ? Math.max(FIRST_BYTES, needed) : PIECE_BYTES]);
      }
      byte[] piece = pieces.get(number);
      if (piece.length < needed) {
        byte[] larger = new byte[Math.min(PIECE_BYTES, Math.max(needed, 4 * piece.length))];
        System.arraycopy(piece, 0, larger, 0, piece.length);
        pieces.set(number, larger);
      }
    }

    /** Some bytes of one piece. */
    void get(int at, int most, ByteBuffer into) {
      int within = at % PIECE_BYTES;
      int step = Math.min(most, PIECE_BYTES - within);
      into.put(pieces.get(at / PIECE_BYTES), within, Math.min(step, into.remaining()));
    }

    void addTo(List<FilesById.Piece> all) {
      for (int at = 0; at < count; at += PIECE_BYTES) {
        byte[] piece = pieces.get(at / PIECE_BYTES);
        ByteBuffer content = ByteBuffer.wrap(piece, 0, Math.min(count - at, PIECE_BYTES));
        all.add(new FilesById.Piece(atEnd ? FilesById.AT_END : from + at, content));
      }
    }
  }

  /** Commits it; waits. */
  void commitTo(FilesById files, long id) {
    MetadataChange change = metadata;
    if (change == null) {
      files.write(id, pieces(), Durability.ASYNC);
    } else {
      files.change(id, change, Durability.ASYNC);
    }
  }

  /** Whether there is nothing to write. */
  boolean isEmpty() {
    return bytes == 0;
  }

  /** Bytes that it holds. */
  public int bytes() {
    return bytes;
  }

  /**
   * Whether so many bytes can be put at an offset: there is room, and they would not lie over a
   * part only of a stretch. They end at {@link FilesById#MAX_BYTES} or before.
   *
   * @param atEnd whether they belong at the end, which is at the offset
   */
  public boolean fits(long offset, boolean atEnd, int count) {
    if (metadata != null) {
      return false;
    }
    Stretch before = at(offset);
    boolean fresh = !takes(before, offset, atEnd, count);
    if (fresh && (offset + count > next(offset) || before != null && before.end() > offset)) {
      return false;
    }
    int after = stretches.size() + (fresh ? 1 : 0);
    return bytes + count <= (after > 1 ? MAX_SCATTERED_BYTES : maxBytes);
  }

  /** Takes all that remains of a buffer, which fits. Without memory for that nothing is taken. */
  public void put(long offset, boolean atEnd, ByteBuffer source) {
    int count = source.remaining();
    Stretch stretch = at(offset);
    if (stretch != null && takes(stretch, offset, atEnd, count)) {
      stretch.reserve(offset, count);
    } else {
      stretch = new Stretch(offset, atEnd);
      stretch.reserve(offset, count);
      stretches.put(offset, stretch);
    }
    stretch.put(offset, source);
  }

  /** Whether bytes go over a stretch, or on behind it. */
  private boolean takes(@Nullable Stretch stretch, long offset, boolean atEnd, int count) {
    if (stretch == null || stretch.end() < offset) {
      return false;
    }
    return offset + count <= stretch.end()
        || stretch.atEnd == atEnd && offset + count <= next(offset);
  }

  /** What begins at or before an offset. */
  private @Nullable Stretch at(long offset) {
    Map.Entry<Long, Stretch> entry = stretches.floorEntry(offset);
    return entry == null ? null : entry.getValue();
  }

  /** Where the next stretch behind an offset begins. */
  long next(long offset) {
    Long next = stretches.higherKey(offset);
    return next == null ? Long.MAX_VALUE : next;
  }

  /**
   * Copies some of what is held from an offset on, no further than another one; 0 if there is none.
   */
  int read(long offset, long until, ByteBuffer into) {
    Stretch stretch = at(offset);
    if (stretch == null || stretch.end() <= offset) {
      return 0;
    }
    int before = into.position();
    long end = Math.min(until, stretch.end());
    stretch.get((int) (offset - stretch.from), (int) (end - offset), into);
    return into.position() - before;
  }

  /** All of it, in the order in which it must be written. */
  public List<FilesById.Piece> pieces() {
    List<FilesById.Piece> all = new ArrayList<>();
    stretches.values().forEach(stretch -> stretch.addTo(all));
    return all;
  }
}
