package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Unplaced;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Which segments have unplaced content, in the order in which they got it. */
public final class SegmentTable {
  private final Map<Long, Place> places = new LinkedHashMap<>();

  /** Before the first in line. */
  private final Place head = new Place(Walk.END, 0);

  private Place last = head;
  private long entered;
  private @Nullable Walk walk;
  private final UnplacedVersions versions = new UnplacedVersions();
  private final OpenSnapshots snapshots;
  private long unplacedBlocks;
  private UnaryOperator<Overlay.Part> memory = SegmentTable::retained;

  /** A segment in the line of those that have unplaced content. */
  private static final class Place {
    final long segment;

    /** Grows along the line. */
    final long number;

    Overlay overlay = Overlay.EMPTY;
    @Nullable Place before;
    @Nullable Place next;

    Place(long segment, long number) {
      this.segment = segment;
      this.number = number;
    }

    /**
     * Refers to nothing any more. The collector of young objects takes an old one for alive: it
     * would keep the next one, which grows old in its turn, and so on.
     */
    void cutOff() {
      before = null;
      next = null;
      overlay = Overlay.EMPTY;
    }
  }

  /**
   * Goes along the segments that have unplaced content when it begins, oldest first, while the
   * table changes: those that have lost it meanwhile are passed over, and those that come are not
   * met. One at a time: another one ends it.
   */
  public static final class Walk {
    /** There is no further segment. */
    public static final long END = -1;

    private final long lastNumber;
    private Place at;

    private Walk(Place head, long lastNumber) {
      this.at = head;
      this.lastNumber = lastNumber;
    }

    /** The next segment, or {@link #END}. */
    public long next() {
      Place next = at.next;
      if (next == null || next.number > lastNumber) {
        return END;
      }
      at = next;
      return next.segment;
    }
  }

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
    Place place = places.get(segment);
    return place == null ? Overlay.EMPTY : place.overlay;
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

  /** Begins to go along all segments with unplaced content. */
  public Walk walk() {
    Walk begun = new Walk(head, entered);
    walk = begun;
    return begun;
  }

  /** All segments with unplaced content, oldest first; the table must not be changed meanwhile. */
  public void forEach(BiConsumer<Long, Overlay> action) {
    for (Place place = head.next; place != null; place = place.next) {
      action.accept(place.segment, place.overlay);
    }
  }

  /** Releases everything; for closing. */
  public void clear() {
    for (Place place = head.next; place != null; place = place.next) {
      Overlay.EMPTY.takeOver(place.overlay);
    }
    places.clear();
    head.next = null;
    last = head;
    walk = null;
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
      leave(segment);
    } else {
      places.computeIfAbsent(segment, this::enter).overlay = after;
    }
    versions.changed(segment, after, scn);
    after.takeOver(before);
  }

  private Place enter(long segment) {
    Place place = new Place(segment, ++entered);
    place.before = last;
    last.next = place;
    last = place;
    return place;
  }

  private void leave(long segment) {
    Place place = places.remove(segment);
    if (place == null) {
      return;
    }
    Place before = Invariants.present(place.before, "a place before");
    before.next = place.next;
    if (place.next == null) {
      last = before;
    } else {
      place.next.before = before;
    }
    if (walk != null && walk.at == place) {
      walk.at = before;
    }
    place.cutOff();
  }
}
