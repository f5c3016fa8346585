package dev.upcall;

import dev.upcall.config.Limits;
import dev.upcall.content.StagedContent;
import dev.upcall.request.FileRequest;
import java.util.Objects;

/** The new content of a file in a {@code FileRequest.Put}. */
public sealed interface FileContent {
  /** How many bytes it has. */
  long sizeBytes();

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

    @Override
    public long sizeBytes() {
      return bytes.length;
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

    @Override
    public long sizeBytes() {
      return content.sizeBytes();
    }
  }

  /**
   * Not here yet: it follows a request that is handed over as bytes ({@link
   * dev.upcall.request.codec.Submission}). A store that is asked for it directly refuses it as
   * {@code Invalid}.
   *
   * @param sizeBytes how many bytes follow
   */
  record Following(long sizeBytes) implements FileContent {
    /** Checks the size. */
    public Following {
      Limits.within("sizeBytes", sizeBytes, 0, FileRequest.MAX_FILE_BYTES);
    }
  }
}
