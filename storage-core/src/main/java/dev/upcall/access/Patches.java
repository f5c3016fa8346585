package dev.upcall.access;

import dev.upcall.txn.SegmentMutations.Patch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes written through a handle since its last commit, in order: what the log will keep, and
 * what is merged again when another handle commits first.
 */
final class Patches {
  private final List<Patch> patches = new ArrayList<>();
  private final List<Boolean> appended = new ArrayList<>();
  private long sizeBytes;

  /** How many bytes the log would keep. */
  long sizeBytes() {
    return sizeBytes;
  }

  /** Adds a write; the bytes are kept, not copied. */
  void add(long offset, ByteBuffer bytes, boolean append) {
    patches.add(new Patch(offset, bytes));
    appended.add(append);
    sizeBytes += bytes.remaining();
  }

  /** All that was written, oldest first. */
  List<Patch> all() {
    return List.copyOf(patches);
  }

  /** Whether a write was an append, which follows the end wherever it is at the commit. */
  boolean isAppend(int index) {
    return appended.get(index);
  }

  /** Nothing was written at or behind this size. */
  void truncate(long size) {
    List<Patch> before = List.copyOf(patches);
    List<Boolean> were = List.copyOf(appended);
    clear();
    for (int i = 0; i < before.size(); i++) {
      Patch patch = before.get(i);
      long left = Math.min(patch.bytes().remaining(), size - patch.offset());
      if (left > 0) {
        add(patch.offset(), patch.bytes().slice(patch.bytes().position(), (int) left), were.get(i));
      }
    }
  }

  void clear() {
    patches.clear();
    appended.clear();
    sizeBytes = 0;
  }
}
