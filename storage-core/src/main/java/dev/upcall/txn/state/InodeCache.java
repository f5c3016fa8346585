package dev.upcall.txn.state;

import dev.upcall.buffer.FoundBytes;
import dev.upcall.buffer.UnpinnedBytes;
import dev.upcall.segment.layout.Inode;
import org.jspecify.annotations.Nullable;

/**
 * The inodes asked for lately, decoded: a name that is looked up again and again costs neither a
 * descent of the tree nor a decoding. Who changes the tree tells it; content never changes without
 * its inode.
 */
final class InodeCache {
  private final FoundPlaces<Entry> places;

  /**
   * An inode, and where its content was found in memory, if it was: of a version that is one and
   * the same, and it goes with the inode that says which. In one object, since each that has to be
   * fetched from memory costs as much as the rest of a look.
   *
   * @param memory null where the content was not looked for, or is in several pieces
   * @param fromByte where in it the content begins
   */
  record Entry(Inode inode, long scn, @Nullable UnpinnedBytes memory, int fromByte)
      implements FoundPlaces.Find {}

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
    Entry found = entry(id, scn);
    return found == null ? null : found.inode;
  }

  /** What is known of an inode at an SCN; null when it is not known here. Any thread. */
  @Nullable Entry entry(long id, long scn) {
    int first = first(id);
    for (int place = first; place < first + 2; place++) {
      Entry found = places.at(place, scn);
      if (found != null && found.inode.id() == id) {
        return found;
      }
    }
    return null;
  }

  /** Remembers what an inode is at an SCN. Any thread. */
  void keep(Inode inode, long scn) {
    places.keep(first(inode.id()), new Entry(inode, scn, null, 0));
  }

  /** Remembers where the content of an inode was found that is known here at an SCN. Any thread. */
  void keepContent(long id, long scn, FoundBytes content) {
    Entry known = entry(id, scn);
    if (known != null) {
      Entry more = new Entry(known.inode, known.scn, content.memory(), content.fromByte());
      places.replace(first(id), known, more);
    }
  }

  /** An inode is changed or removed at an SCN; before that. The owner's thread. */
  void changing(long id, long scn) {
    places.changing(first(id), scn);
  }

  private int first(long id) {
    return places.first(Long.hashCode(id));
  }
}
