package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.CopiedBlocks;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Unplaced;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What open snapshots see of unplaced content. As long as a segment's overlay is the one of the
 * snapshot's moment, they share it with the store. Before it is replaced, the newest snapshot that
 * sees it keeps a copy; older ones find it there.
 */
public final class OpenSnapshots {
  /** What a snapshot keeps of a segment that the store has replaced. */
  private record Kept(CopiedBlocks blocks, long sinceScn) {}

  /** One snapshot's part. */
  public static final class Entry {
    private final long scn;
    private final Map<Long, Kept> kept = new LinkedHashMap<>();
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

    private void keep(long segment, Kept copy) {
      Kept before = kept.put(segment, copy);
      Invariants.check(before == null, "a segment kept twice for one snapshot", segment, scn);
      Invariants.check(copy.sinceScn() <= scn, "kept but not seen", copy.sinceScn(), scn);
      copiedBytes += copy.blocks().sizeBytes();
    }
  }

  /** Ascending by SCN. */
  private final List<Entry> open = new ArrayList<>();

  private final Faults faults;

  OpenSnapshots(Faults faults) {
    this.faults = faults;
  }

  /** A snapshot at the present SCN. */
  public Entry add(long scn) {
    Invariants.check(open.isEmpty() || open.getLast().scn <= scn, "snapshot of an old SCN", scn);
    Entry entry = new Entry(scn);
    open.add(entry);
    return entry;
  }

  /** A snapshot is gone: an older one takes over what it sees as well. */
  public void remove(Entry entry) {
    int at = open.indexOf(entry);
    Invariants.check(at >= 0, "snapshot closed twice", entry.scn);
    open.remove(at);
    // Only what the older one sees as well: newer overlays would show it what came later.
    if (at > 0) {
      Entry older = open.get(at - 1);
      entry.kept.forEach(
          (segment, copy) -> {
            if (copy.sinceScn() <= older.scn) {
              older.keep(segment, copy);
            }
          });
    }
  }

  /** Heap memory that all of them hold together. */
  public long copiedBytes() {
    return open.stream().mapToLong(Entry::copiedBytes).sum();
  }

  /** How many are open. */
  public int count() {
    return open.size();
  }

  /** An overlay that has been a segment's since an SCN is about to be replaced. */
  void replacing(long segment, Overlay overlay, long sinceScn) {
    boolean seen = !open.isEmpty() && open.getLast().scn >= sinceScn;
    if (seen && !overlay.isEmpty() && !faults.has(StoreFault.SNAPSHOT_KEEPS_NOTHING)) {
      open.getLast().keep(segment, new Kept(CopiedBlocks.of(overlay), sinceScn));
    }
  }

  /** What a snapshot sees of a segment that has been replaced since; null where nothing has. */
  @Nullable Unplaced kept(Entry entry, long segment) {
    int own = open.indexOf(entry);
    Invariants.check(own >= 0, "look into a closed snapshot", entry.scn);
    // From the snapshot upwards: the copy nearest above is of the overlay that it shared.
    for (int i = own; i < open.size(); i++) {
      Kept copy = open.get(i).kept.get(segment);
      if (copy != null) {
        // What came into being after the snapshot replaced nothing that was unplaced before.
        return copy.sinceScn() <= entry.scn ? copy.blocks() : Overlay.EMPTY;
      }
    }
    return null;
  }
}
