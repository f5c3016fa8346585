package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.request.FileRequest;
import java.util.List;

/**
 * Removes from the store what is gone from its source: only what an import brought from there and
 * nobody has changed since.
 */
final class GoneEntries {
  private final StoreLookAhead ahead;
  private final long source;
  private final SourceWalk.Sink sink;

  GoneEntries(SourceWalk.Setting setting, StoreLookAhead ahead, SourceWalk.Sink sink) {
    this.ahead = ahead;
    this.source = setting.source();
    this.sink = sink;
  }

  /**
   * Emits the removal of an entry and of what is below it, as far as it was imported.
   *
   * @return whether nothing of it will be left
   */
  boolean remove(String path, FileInfo info) {
    ImportMark mark = ImportMark.of(info);
    boolean ours = mark != null && mark.source() == source && mark.describes(info);
    if (info.isDirectory()) {
      StoreEntries entries = new StoreEntries(ahead, path, true);
      for (FileInfo entry = entries.rest(); entry != null; entry = entries.rest()) {
        ours &= remove(SourceWalk.child(path, entry.name()), entry);
      }
    }
    if (ours) {
      sink.emit(
          ImportStep.ready(
              path, Outcome.REMOVED, List.of(new FileRequest.Delete(StorePath.of(path)))));
    }
    return ours;
  }
}
