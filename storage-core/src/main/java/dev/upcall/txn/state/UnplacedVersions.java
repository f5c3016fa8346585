package dev.upcall.txn.state;

import dev.upcall.segment.Overlay;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Since which SCN the unplaced content of each segment is what it is. The owner changes it; any
 * thread may ask what a segment had at an SCN that was published, and hears that, or nothing.
 */
final class UnplacedVersions {
  private static final int PLACES = 1 << 12;

  private final Map<Long, Version> present = new ConcurrentHashMap<>();

  /** By segment: of what is absent that is all one has. */
  private final ChangeStamps changes = new ChangeStamps(PLACES);

  private record Version(Overlay overlay, long sinceScn) {}

  /** The SCN of the change that made a segment's overlay what it is; 0 where there is none. */
  long sinceScn(long segment) {
    Version version = present.get(segment);
    return version == null ? 0 : version.sinceScn;
  }

  /** A segment has another overlay; before the change is published. The owner's thread. */
  void changed(long segment, Overlay overlay, long scn) {
    changes.changed(segment, scn); // before who looks can miss what is removed below
    if (overlay.isEmpty()) {
      present.remove(segment);
    } else {
      present.put(segment, new Version(overlay, scn));
    }
  }

  /**
   * What a segment had at a published SCN, not retained; null when it may have changed since. Any
   * thread.
   */
  @Nullable Overlay at(long segment, long scn) {
    Version version = present.get(segment);
    if (version != null) {
      return version.sinceScn <= scn ? version.overlay : null;
    }
    return changes.isSameSince(segment, scn) ? Overlay.EMPTY : null;
  }

  /** Forgets all, for good: who still has a view hears nothing. The owner's thread. */
  void clear() {
    changes.end(); // or what is forgotten would look placed
    present.clear();
  }
}
