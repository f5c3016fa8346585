package dev.upcall.nio.content;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import org.jspecify.annotations.Nullable;

/** Opens the content of a file that a path led to. */
public interface Contents {
  /**
   * The content.
   *
   * @param path what led to it
   * @param id the file
   * @param durable whether each write is durable when it returns, whatever the file system does
   */
  Content open(StorePath path, long id, boolean durable);

  /**
   * What a path leads to, with attributes of what is committed; null where that is nothing, or
   * where the store must be asked.
   */
  default @Nullable FileInfo find(StorePath place, LinkPolicy links) {
    return null;
  }

  /** As {@link #find}, where nothing of what is found is collected; else null. */
  default @Nullable FileInfo look(StorePath place, LinkPolicy links) {
    return null;
  }

  /** All that was done before is durable when this returns. */
  default void force() {}
}
