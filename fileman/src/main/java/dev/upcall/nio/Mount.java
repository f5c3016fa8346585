package dev.upcall.nio;

import dev.upcall.nio.content.Changes;
import dev.upcall.nio.content.Contents;
import dev.upcall.nio.content.OpenFiles;
import dev.upcall.store.StoreInfo;
import java.util.function.Supplier;

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

  /** The volume, for messages and as a name. */
  String volume() {
    return uri.volume();
  }
}
