package dev.upcall;

import dev.upcall.content.StagedContent;
import java.util.Objects;

/** The new content of a file in a {@link FileRequest.Put}. */
public sealed interface FileContent {
  /**
   * Given as bytes, for small files.
   *
   * @param bytes at most {@link FileManagerConfig#maxStagingBytes}; must not be changed before the
   *     completion
   */
  record Bytes(byte[] bytes) implements FileContent {
    /** Checks that nothing is missing. */
    public Bytes {
      Objects.requireNonNull(bytes, "bytes");
    }
  }

  /**
   * Brought to the store before, in any size. The request that names it takes it: whatever its
   * outcome, it is used up.
   *
   * @param content finished and not named by any other request
   */
  record Staged(StagedContent content) implements FileContent {
    /** Checks that nothing is missing. */
    public Staged {
      Objects.requireNonNull(content, "content");
    }
  }
}
