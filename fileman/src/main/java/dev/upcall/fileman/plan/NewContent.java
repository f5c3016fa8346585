package dev.upcall.fileman.plan;

import dev.upcall.access.SegmentEdits;
import dev.upcall.content.StagedContent;
import java.util.ArrayList;
import java.util.List;

/** Where a batch takes the new content of a file from. */
sealed interface NewContent {
  /** Content that was brought along. */
  record Brought(StagedContent content) implements NewContent {}

  /** What a file had before the batch. */
  record Of(long source) implements NewContent {}

  /**
   * The content before the batch, with edits.
   *
   * @param path of the file, as the first of them has named it
   */
  record Edited(String path, List<SegmentEdits.Edit> edits) implements NewContent {
    Edited and(SegmentEdits.Edit next) {
      List<SegmentEdits.Edit> all = new ArrayList<>(edits);
      all.add(next);
      return new Edited(path, List.copyOf(all));
    }
  }
}
