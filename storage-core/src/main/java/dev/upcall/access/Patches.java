package dev.upcall.access;

import dev.upcall.txn.SegmentMutations.Patch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What was done through a handle since its last commit, twice: the bytes that the log will keep,
 * and the operations, in order, which are done again when another handle commits first.
 */
final class Patches {
  private static final int OPERATION_BYTES = 64;

  private final List<Patch> patches = new ArrayList<>();
  private final List<Operation> operations = new ArrayList<>();
  private long sizeBytes;
  private long splicedBytes;

  /** What a client asked for. */
  sealed interface Operation {
    /**
     * Bytes were written.
     *
     * @param append whether they follow the end, wherever it is at the commit
     */
    record Write(long offset, ByteBuffer bytes, boolean append) implements Operation {}

    /** The size was set. */
    record Truncate(long sizeBytes) implements Operation {}

    /** Bytes were put in the place of a range. */
    record Splice(long offset, long removed, ByteBuffer bytes) implements Operation {}

    /** A range was copied to lie together. */
    record Gather(long offset, long lengthBytes) implements Operation {}
  }

  /** How many bytes the log would keep. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** About how much memory all of this takes. */
  long heapBytes() {
    return sizeBytes + splicedBytes + (long) OPERATION_BYTES * (patches.size() + operations.size());
  }

  /** Adds bytes for the log; they are kept, not copied. */
  void add(long offset, ByteBuffer bytes) {
    patches.add(new Patch(offset, bytes));
    sizeBytes += bytes.remaining();
  }

  /** A client's operation has been done. */
  void did(Operation operation) {
    operations.add(operation);
    if (operation instanceof Operation.Splice splice) {
      splicedBytes += splice.bytes().remaining();
    }
  }

  /** All that the log would keep, oldest first. */
  List<Patch> all() {
    return List.copyOf(patches);
  }

  /** All that was done, oldest first. */
  List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** The log keeps nothing of the bytes [from, to). */
  void drop(long from, long to) {
    List<Patch> before = List.copyOf(patches);
    patches.clear();
    sizeBytes = 0;
    for (Patch patch : before) {
      long end = patch.offset() + patch.bytes().remaining();
      addPart(patch, patch.offset(), Math.min(end, from));
      addPart(patch, Math.max(patch.offset(), to), end);
    }
  }

  private void addPart(Patch patch, long from, long to) {
    if (from < to) {
      int skip = (int) (from - patch.offset());
      add(from, patch.bytes().slice(patch.bytes().position() + skip, (int) (to - from)));
    }
  }

  void clear() {
    patches.clear();
    operations.clear();
    sizeBytes = 0;
    splicedBytes = 0;
  }
}
