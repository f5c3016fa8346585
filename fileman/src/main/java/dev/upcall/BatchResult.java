package dev.upcall;

import dev.upcall.content.Times;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a committed batch did.
 *
 * @param files for each request in order: what it made, changed or moved, as it is right after that
 *     request; empty for deletions and properties
 */
public record BatchResult(List<Optional<FileInfo>> files) {
  /** Checks that nothing is missing. */
  public BatchResult {
    Objects.requireNonNull(files, "files");
  }

  /** When the first of them expires; {@link Times#NEVER} if none does. */
  public long firstExpiryNanos() {
    long first = Times.NEVER;
    for (Optional<FileInfo> file : files) {
      if (file.isPresent()) {
        first = Math.min(first, file.get().times().expiresNanos());
      }
    }
    return first;
  }

  /** What the only request of a batch of one left. */
  public FileInfo only() {
    return files.getFirst().orElseThrow();
  }
}
