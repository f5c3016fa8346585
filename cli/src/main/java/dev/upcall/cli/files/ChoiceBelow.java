package dev.upcall.cli.files;

import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.Trees;
import java.util.Iterator;
import java.util.stream.Stream;

/** The choice of a directory, made for all that is below it. */
final class ChoiceBelow {
  private ChoiceBelow() {}

  /** Changes the files and directories below one, one by one; returns how many. */
  static long set(Upcall store, String at, MetadataChange change) {
    long changed = 0;
    try (Stream<TreeEntry> below = Trees.walk(store, at)) {
      for (Iterator<TreeEntry> each = below.iterator(); each.hasNext(); ) {
        TreeEntry entry = each.next();
        boolean isBelow = entry.depth() > 0;
        if (isBelow && (entry.info().isFile() || entry.info().isDirectory())) {
          store.setMetadata(entry.path(), LinkPolicy.NO_FOLLOW, change);
          changed++;
        }
      }
    }
    return changed;
  }
}
