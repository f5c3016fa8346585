package dev.upcall.nio;

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

    /** Files that are not committed yet; null where there can be none. */
    default @Nullable NewNames newNames() {
      return null;
    }
  }

  /** The volume, for messages and as a name. */
  String volume() {
    return uri.volume();
  }
}
