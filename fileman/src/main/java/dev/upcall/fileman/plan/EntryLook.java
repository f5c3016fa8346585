package dev.upcall.fileman.plan;

import dev.upcall.FileInfo;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A few entries of a directory by one look at its names and what they lead to. Run again after
 * pages were missing it keeps the entries that it has seen, so that it comes to an end however few
 * pages stay in memory: each entry is as of one of the runs. One thread.
 */
final class EntryLook {
  private final int limit;
  private final Map<String, Inode> seen = new LinkedHashMap<>();

  /**
   * Begins.
   *
   * @param limit how many names are passed at most
   */
  EntryLook(int limit) {
    this.limit = limit;
  }

  /** One run: the entries behind a name. */
  Looks.Page page(View view, Looks.Seen directory, byte @Nullable [] after) {
    long id = directory.inode().id();
    List<String> names = new ArrayList<>();
    List<Long> ids = new ArrayList<>();
    View.Scan scan =
        view.from(StoreTree.NAMES, after == null ? TreeKeys.of(id) : Names.keyAfter(id, after));
    boolean more = false;
    while (!more && scan.next()) {
      byte[] key = scan.key();
      if (!Names.isEntryOf(key, id)) {
        break;
      }
      more = names.size() == limit;
      if (!more) {
        names.add(Names.nameIn(key));
        ids.add(Names.entry(scan.value()).id());
      }
    }
    String nextAfter = more ? names.getLast() : null;
    return new Looks.Page(directory.info(), id, infos(view, names, ids), nextAfter);
  }

  private List<FileInfo> infos(View view, List<String> names, List<Long> ids) {
    @Nullable Inode[] inodes = inodes(view, names, ids);
    CommittedNames present = new CommittedNames(view);
    List<FileInfo> infos = new ArrayList<>(inodes.length);
    for (int i = 0; i < inodes.length; i++) {
      Inode inode = inodes[i];
      if (inode == null) {
        throw NameView.missing(ids.get(i));
      }
      if (!present.isExpired(inode)) {
        infos.add(FileInfos.of(names.get(i), inode));
      }
    }
    return infos;
  }

  private @Nullable Inode[] inodes(View view, List<String> names, List<Long> ids) {
    @Nullable Inode[] inodes = new Inode[ids.size()];
    for (int i = 0; i < inodes.length; i++) {
      Inode known = seen.get(names.get(i));
      // What the name led to in an earlier run, if it is what it leads to now.
      inodes[i] = known != null && known.id() == ids.get(i) ? known : null;
    }
    try {
      view.inodes(ids.stream().mapToLong(Long::longValue).toArray(), inodes);
      return inodes;
    } finally {
      for (int i = 0; i < inodes.length; i++) {
        Inode inode = inodes[i];
        if (inode != null) {
          seen.put(names.get(i), inode);
        }
      }
    }
  }
}
