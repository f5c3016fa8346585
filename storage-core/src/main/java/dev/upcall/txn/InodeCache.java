package dev.upcall.txn;

import dev.upcall.segment.Inode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The inodes asked for lately, decoded: a name that is looked up again and again costs neither a
 * descent of the tree nor a decoding. Holds what the tree of inodes says now; who changes that
 * tells it. Dispatcher's thread only.
 */
final class InodeCache {
  private final Map<Long, Inode> inodes;

  /** An empty cache for so many inodes. */
  InodeCache(int limit) {
    this.inodes = new Recent(limit);
  }

  @Nullable Inode get(long id) {
    return inodes.get(id);
  }

  void keep(Inode inode) {
    inodes.put(inode.id(), inode);
  }

  /** The inode was changed or removed. */
  void forget(long id) {
    inodes.remove(id);
  }

  private static final class Recent extends LinkedHashMap<Long, Inode> {
    private static final long serialVersionUID = 1L;

    private final int limit;

    private Recent(int limit) {
      super(16, 0.75f, true);
      this.limit = limit;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Inode> eldest) {
      return size() > limit;
    }
  }
}
