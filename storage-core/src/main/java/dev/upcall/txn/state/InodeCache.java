package dev.upcall.txn.state;

import dev.upcall.segment.Inode;
import org.jspecify.annotations.Nullable;

/**
 * The inodes asked for lately, decoded: a name that is looked up again and again costs neither a
 * descent of the tree nor a decoding. Holds what the tree of inodes says now; who changes that
 * tells it. Each inode has one place, where it drives out another.
 *
 * <p>Like the trees it may be read by several threads at once while nobody changes the state: an
 * inode is immutable, and two who keep inodes in one place leave one of them there.
 */
final class InodeCache {
  private static final int MIX = 0x9E3779B9;

  private final @Nullable Inode[] places;
  private final int shift;

  /** An empty cache for so many inodes, or fewer. */
  InodeCache(int limit) {
    int size = Integer.highestOneBit(Math.max(2, limit));
    this.places = new Inode[size];
    this.shift = Integer.numberOfLeadingZeros(size) + 1;
  }

  @Nullable Inode get(long id) {
    Inode found = places[place(id)];
    return found != null && found.id() == id ? found : null;
  }

  void keep(Inode inode) {
    places[place(inode.id())] = inode;
  }

  /** The inode was changed or removed. */
  void forget(long id) {
    if (get(id) != null) {
      places[place(id)] = null;
    }
  }

  private int place(long id) {
    return (Long.hashCode(id) * MIX) >>> shift;
  }
}
