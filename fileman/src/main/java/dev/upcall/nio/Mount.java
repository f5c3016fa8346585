package dev.upcall.nio;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.store.StoreInfo;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a file system stands on.
 *
 * @param uri where its paths are
 * @param changes what is read and changed
 * @param open files that its channels have open
 * @param contents how a channel gets at a file's content
 * @param info numbers of the store
 */
record Mount(
    MountUri uri, Changes changes, OpenFiles open, Contents contents, Supplier<StoreInfo> info) {

  /** Opens the content of a file that a path led to. */
  interface Contents {
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

  /** The volume, for messages and as a name. */
  String volume() {
    return uri.volume();
  }
}
