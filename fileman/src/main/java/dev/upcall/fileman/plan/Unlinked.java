package dev.upcall.fileman.plan;

import dev.upcall.FileManager;
import dev.upcall.StorePath;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Refused;
import dev.upcall.content.Kind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The directory for files that are open and have lost their names, each under its id. Its entries
 * go by themselves: nothing else may come there, by whatever way and door, and be lost with them.
 */
final class Unlinked {
  private static final byte[] NAME = StorePath.UNLINKED.encoded(0);

  private Unlinked() {}

  /** Whether a path names an entry of it, and is no way around. */
  static boolean isIn(StorePath path) {
    return path.directoryId() == FileManager.ROOT_ID
        && path.names().size() == 2
        && Arrays.equals(path.encoded(0), NAME);
  }

  /** What is there now; null if that is nothing. */
  static Names.@Nullable Entry present(NameView names) {
    return names.entry(FileManager.ROOT_ID, NAME);
  }

  /** Refuses an entry that is about to be made, unless it is one of these files. */
  static void check(NameView names, long directory, byte[] name, Names.Entry entry) {
    boolean isItself = directory == FileManager.ROOT_ID && Arrays.equals(name, NAME);
    if (isItself || isThere(names, directory) && !isNameOf(entry, name)) {
      throw refused();
    }
  }

  /** The same of a way that is missing, before the content comes; an entry's is left to that. */
  static void check(NameView names, StorePath path, Resolution.Missing missing) {
    boolean isItself =
        missing.directory() == FileManager.ROOT_ID
            && missing.names().getFirst().equals(StorePath.UNLINKED.lastName());
    if (isItself || !isIn(path) && isThere(names, missing.directory())) {
      throw refused();
    }
  }

  private static boolean isThere(NameView names, long directory) {
    if (directory == FileManager.ROOT_ID
        || names.inode(directory).parent() != FileManager.ROOT_ID) {
      return false;
    }
    Names.Entry present = present(names);
    return present != null && present.id() == directory;
  }

  private static boolean isNameOf(Names.Entry entry, byte[] name) {
    return entry.kind() == Kind.FILE
        && Arrays.equals(name, StorePath.UNLINKED.child(Long.toHexString(entry.id())).encoded(1));
  }

  private static Refused refused() {
    return new Refused(
        new Failure.Invalid(
            StorePath.UNLINKED
                + " is the store's own, for files that are open and have lost their names:"
                + " choose another name"));
  }
}
