package dev.upcall.fileman;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a directory's entries, in ascending order of their names' UTF-8 bytes.
 *
 * <p>Each entry is as of some moment between request and completion. Entries that existed all that
 * time and while earlier pages were read are listed exactly once.
 *
 * @param directory the directory itself
 * @param entries the entries, symbolic links not followed
 * @param nextAfter what to give as {@code afterName} for the next page, or null at the end
 */
public record Listing(FileInfo directory, List<FileInfo> entries, @Nullable String nextAfter) {
  /** The most entries of one page. */
  public static final int MAX_ENTRIES = 4096;

  /** Whether entries may follow. */
  public boolean hasMore() {
    return nextAfter != null;
  }
}
