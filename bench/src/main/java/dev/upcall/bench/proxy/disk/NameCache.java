package dev.upcall.bench.proxy.disk;

import dev.upcall.bench.ecommerce.machine.LruList;

/** Names that were looked up lately, by the inode that they name. */
final class NameCache {
  private final LruList lru;
  private final int entries;
  private int held;

  NameCache(int entries, int inodes) {
    this.lru = new LruList(inodes);
    this.entries = entries;
  }

  /** Whether a name is known; it is the most recent one then. */
  boolean finds(int inode) {
    if (!lru.holds(inode)) {
      return false;
    }
    lru.remove(inode);
    lru.addFirst(inode);
    return true;
  }

  void add(int inode) {
    if (finds(inode)) {
      return;
    }
    if (held == entries) {
      lru.remove(lru.last());
    } else {
      held++;
    }
    lru.addFirst(inode);
  }

  void remove(int inode) {
    if (lru.holds(inode)) {
      lru.remove(inode);
      held--;
    }
  }
}
