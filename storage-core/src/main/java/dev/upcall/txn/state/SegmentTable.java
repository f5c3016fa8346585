package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Unplaced;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Which segments have unplaced content, in the order in which they got it. */
public final class SegmentTable {
  private final Map<Long, Overlay> overlays = new LinkedHashMap<>();
  private final UnplacedVersions versions = new UnplacedVersions();
  private final OpenSnapshots snapshots;
  private long unplacedBlocks;
  private UnaryOperator<Overlay.Part> memory = SegmentTable::retained;

  /**
   * A table without content.
   *
   * @param snapshots hear of every overlay that is replaced
   */
  SegmentTable(OpenSnapshots snapshots) {
    this.snapshots = snapshots;
  }

  /** What is unplaced of a segment; not retained. */
  public Overlay overlay(long segment) {
    return overlays.getOrDefault(segment, Overlay.EMPTY);
  }

  /** What other threads may ask. */
  UnplacedVersions versions() {
    return versions;
  }

  /** What is unplaced of a segment as a snapshot sees it; not retained. */
  public Unplaced unplaced(OpenSnapshots.Entry snapshot, long segment) {
    Unplaced kept = snapshots.kept(snapshot, segment);
    if (kept != null) {
      return kept;
    }
    return versions.sinceScn(segment) <= snapshot.scn() ? overlay(segment) : Overlay.EMPTY;
  }

  /** Puts a part on top of a segment's content; takes the part's pin over. */
  public void write(long segment, Overlay.Part part, long scn) {
    Overlay before = overlay(segment);
    // Pinned in its new memory before the old pin goes: it may be the same frame.
    Overlay.Part kept = memory.apply(part);
    Invariants.check(kept.blocks() == part.blocks(), "part", kept.blocks(), part.blocks());
    part.lease().release();
    replace(segment, before, before.with(kept), scn);
    kept.lease().release();
  }

  /** Says in which memory unplaced content is kept; what it gives has a pin of its own. */
  public void keepIn(UnaryOperator<Overlay.Part> where) {
    memory = where;
  }

  private static Overlay.Part retained(Overlay.Part part) {
    part.lease().retain();
    return part;
  }

  /** Drops the content blocks [from, to). */
  void drop(long segment, long from, long to, long scn) {
    Overlay before = overlay(segment);
    if (!before.isEmpty()) {
      replace(segment, before, before.without(from, to), scn);
    }
  }

  /** What is unplaced of one segment is so of another, which has nothing, as well. */
  void copy(long from, long to, long scn) {
    Overlay before = overlay(to);
    Invariants.check(from != to, "copy of unplaced content onto itself", to);
    Invariants.check(before.isEmpty(), "unplaced content under a copy", to);
    Overlay copied = overlay(from);
    if (!copied.isEmpty()) {
      replace(to, before, copied, scn);
    }
  }

  /** How many blocks are unplaced in all segments. */
  public long unplacedBlocks() {
    return unplacedBlocks;
  }

  /** All segments with unplaced content, oldest first. Not to be changed while walked. */
  public Map<Long, Overlay> all() {
    return overlays;
  }

  /** Releases everything; for closing. */
  public void clear() {
    for (Overlay overlay : overlays.values()) {
      Overlay.EMPTY.takeOver(overlay);
    }
    overlays.clear();
    versions.clear();
    unplacedBlocks = 0;
  }

  private void replace(long segment, Overlay before, Overlay after, long scn) {
    long madeScn = versions.sinceScn(segment);
    Invariants.check(madeScn <= scn, "overlay that is newer than its successor", madeScn, scn);
    // While it is still there: a snapshot copies from the frames that are released below.
    snapshots.replacing(segment, before, madeScn);
    unplacedBlocks += after.blocks() - before.blocks();
    Invariants.check(unplacedBlocks >= 0, "unplaced blocks", unplacedBlocks);
    if (after.isEmpty()) {
      overlays.remove(segment);
    } else {
      overlays.put(segment, after);
    }
    versions.changed(segment, after, scn);
    after.takeOver(before);
  }
}
