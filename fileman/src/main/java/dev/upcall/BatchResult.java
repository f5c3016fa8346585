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
 * @param removals for each removal of a range of entries, in their order: what it removed
 */
public record BatchResult(List<Optional<FileInfo>> files, List<Removal> removals) {
  /** Checks that nothing is missing. */
  public BatchResult {
    Objects.requireNonNull(files, "files");
    Objects.requireNonNull(removals, "removals");
  }

  /**
   * The end of the entries of a range.
   *
   * @param entries how many are gone
   * @param hasMore whether the range has more
   */
  public record Removal(int entries, boolean hasMore) {}

  /** Of a batch without removals of ranges. */
  public BatchResult(List<Optional<FileInfo>> files) {
    this(files, List.of());
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
