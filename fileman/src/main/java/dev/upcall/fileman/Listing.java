package dev.upcall.fileman;

import dev.upcall.completion.Failure;
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

  /** Why a page cannot be asked for like this, or null. */
  public static @Nullable Failure refuses(@Nullable String afterName, int limit) {
    if (limit < 1 || limit > MAX_ENTRIES) {
      return new Failure.Invalid(
          "a page has 1 to %d entries, not %d".formatted(MAX_ENTRIES, limit));
    }
    byte[] after = afterName == null ? null : StorePath.encode(afterName);
    boolean isName = after != null && after.length <= StorePath.MAX_NAME_BYTES;
    return afterName == null || isName
        ? null
        : new Failure.Invalid("the name to continue after is not a name");
  }
}
