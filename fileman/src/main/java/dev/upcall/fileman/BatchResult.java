package dev.upcall.fileman;

import java.util.List;
import java.util.Optional;

/**
 * What a committed batch did.
 *
 * @param files for each request in order: what it made, changed or moved, as it is right after that
 *     request; empty for deletions and properties
 */
public record BatchResult(List<Optional<FileInfo>> files) {
  /** What the only request of a batch of one left. */
  FileInfo only() {
    return files.getFirst().orElseThrow();
  }
}
