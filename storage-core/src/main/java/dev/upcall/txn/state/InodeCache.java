package dev.upcall.txn.state;

import dev.upcall.segment.Inode;
import org.jspecify.annotations.Nullable;

/**
 * The inodes asked for lately, decoded: a name that is looked up again and again costs neither a
 * descent of the tree nor a decoding. Who changes the tree tells it.
 */
final class InodeCache {
  private final FoundPlaces<Entry> places;

  private record Entry(Inode inode, long scn) implements FoundPlaces.Find {}

  /**
   * An empty cache for so many inodes, or fewer.
   *
   * @param changes of inodes
   */
  InodeCache(int limit, ChangeStamps changes) {
    places = new FoundPlaces<>(limit, changes);
  }

  /** An inode at an SCN; null when it is not known here. Any thread. */
  @Nullable Inode get(long id, long scn) {
    int first = first(id);
    for (int place = first; place < first + 2; place++) {
      Entry found = places.at(place, scn);
      if (found != null && found.inode.id() == id) {
        return found.inode;
      }
    }
    return null;
  }

  /** Remembers what an inode is at an SCN. Any thread. */
  void keep(Inode inode, long scn) {
    places.keep(first(inode.id()), new Entry(inode, scn));
  }

  /** An inode is changed or removed at an SCN; before that. The owner's thread. */
  void changing(long id, long scn) {
    places.changing(first(id), scn);
  }

  private int first(long id) {
    return places.first(Long.hashCode(id));
  }
}
