package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.CopiedBlocks;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Unplaced;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What open snapshots see of unplaced content. As long as a segment's overlay is the one of the
 * snapshot's moment, they share it with the store. Before it is replaced it is copied once for all
 * that see it, and the newest of them answers for the copy.
 *
 * <p>Nothing here depends on how many are open but for a logarithm: programs forget to close them,
 * and every change asks here.
 */
public final class OpenSnapshots {
  /** An overlay of a segment: the one that it has had since an SCN. */
  private record Version(long segment, long sinceScn) implements Comparable<Version> {
    @Override
    public int compareTo(Version other) {
      int bySegment = Long.compare(segment, other.segment);
      return bySegment != 0 ? bySegment : Long.compare(sinceScn, other.sinceScn);
    }
  }

  /** A version that the store has replaced; the newest snapshot that sees it is of this SCN. */
  private record Kept(Version version, CopiedBlocks blocks, long bytes, long seenByScn) {}

  /** One snapshot's part; a link of the chain of all. */
  public static final class Entry {
    private final long scn;
    private @Nullable Entry older;
    private @Nullable Entry newer;
    private boolean removed;

    /** What it answers for, latest version first: that the older ones do not see comes first. */
    private PriorityQueue<Kept> kept =
        new PriorityQueue<>(
            Comparator.<Kept>comparingLong(copy -> copy.version().sinceScn()).reversed());

    private long copiedBytes;

    private Entry(long scn) {
      this.scn = scn;
    }

    public long copiedBytes() {
      return copiedBytes;
    }

    long scn() {
      return scn;
    }
  }

  private final TreeMap<Version, Kept> copies = new TreeMap<>();
  private final Faults faults;
  private @Nullable Entry newest;
  private int count;
  private long copiedBytes;
  private long looks;

  OpenSnapshots(Faults faults) {
    this.faults = faults;
  }

  /** A snapshot at the present SCN. */
  public Entry add(long scn) {
    Entry before = newest;
    Invariants.check(before == null || before.scn <= scn, "snapshot of an old SCN", scn);
    Entry entry = new Entry(scn);
    entry.older = before;
    if (before != null) {
      before.newer = entry;
    }
    newest = entry;
    count++;
    return entry;
  }

  /**
   * A snapshot is gone: an older one answers for what it sees as well. Costs what is not seen any
   * more, and the hand-over: at most as often as a logarithm says for each copy.
   */
  public void remove(Entry entry) {
    Invariants.check(!entry.removed, "snapshot closed twice", entry.scn);
    entry.removed = true;
    Entry older = unlink(entry);
    if (count == 0) {
      copies.clear();
      copiedBytes = 0;
      return;
    }
    // Only what the older one sees as well: newer overlays would show it what came later.
    for (Kept copy = entry.kept.peek();
        copy != null && (older == null || copy.version().sinceScn() > older.scn);
        copy = entry.kept.peek()) {
      looks++;
      entry.kept.remove();
      copies.remove(copy.version());
      entry.copiedBytes -= copy.bytes();
      copiedBytes -= copy.bytes();
    }
    if (older != null) {
      handOver(entry, older);
    }
  }

  private @Nullable Entry unlink(Entry entry) {
    Entry older = entry.older;
    Entry newer = entry.newer;
    if (older != null) {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    entry.older = null;
    entry.newer = null;
    count--;
    return older;
  }

  /** The smaller part moves to the larger: none moves more often than its part can double. */
  private void handOver(Entry from, Entry to) {
    boolean fewer = from.kept.size() <= to.kept.size();
    PriorityQueue<Kept> moved = fewer ? from.kept : to.kept;
    PriorityQueue<Kept> all = fewer ? to.kept : from.kept;
    looks += moved.size();
    all.addAll(moved);
    to.kept = all;
    to.copiedBytes += from.copiedBytes;
  }

  /** Heap memory that all of them hold together. */
  public long copiedBytes() {
    return copiedBytes;
  }

  /** How many are open. */
  public int count() {
    return count;
  }

  /** How many copies were looked at for the sake of snapshots that were closed: the cost of it. */
  long looks() {
    return looks;
  }

  /** An overlay that has been a segment's since an SCN is about to be replaced. */
  void replacing(long segment, Overlay overlay, long sinceScn) {
    Entry last = newest;
    if (last != null
        && last.scn >= sinceScn
        && !overlay.isEmpty()
        && !faults.has(StoreFault.SNAPSHOT_KEEPS_NOTHING)) {
      keep(last, new Version(segment, sinceScn), CopiedBlocks.of(overlay));
    }
  }

  private void keep(Entry entry, Version version, CopiedBlocks blocks) {
    Kept copy = new Kept(version, blocks, blocks.sizeBytes(), entry.scn);
    Kept before = copies.put(version, copy);
    Invariants.check(before == null, "a version kept twice", version.segment(), entry.scn);
    entry.kept.add(copy);
    entry.copiedBytes += copy.bytes();
    copiedBytes += copy.bytes();
  }

  /** What a snapshot sees of a segment that has been replaced since; null where nothing has. */
  @Nullable Unplaced kept(Entry entry, long segment) {
    Invariants.check(!entry.removed, "look into a closed snapshot", entry.scn);
    // The latest version that there was at its moment, unless that had ended by then.
    Map.Entry<Version, Kept> last = copies.floorEntry(new Version(segment, entry.scn));
    if (last == null || last.getKey().segment() != segment) {
      return null;
    }
    Kept copy = last.getValue();
    return entry.scn <= copy.seenByScn() ? copy.blocks() : null;
  }
}
