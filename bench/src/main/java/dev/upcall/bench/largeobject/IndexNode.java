package dev.upcall.bench.largeobject;

import java.util.ArrayList;
import java.util.List;

/** A page of a count tree: how many bytes lie below each of its entries. */
final class IndexNode implements IndexEntry {
  /** Of a node that has not been written yet, and of the root. */
  static final int NOWHERE = -1;

  private final int level;
  private final List<IndexEntry> entries;
  private int page = NOWHERE;
  private long bytes;

  /**
   * A new one.
   *
   * @param level 0 above segments
   */
  IndexNode(int level, List<? extends IndexEntry> entries) {
    this.level = level;
    this.entries = new ArrayList<>(entries);
    recount();
  }

  int level() {
    return level;
  }

  List<IndexEntry> entries() {
    return entries;
  }

  IndexNode child(int index) {
    return (IndexNode) entries.get(index);
  }

  int page() {
    return page;
  }

  void placeAt(int newPage) {
    page = newPage;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  /** Its entries have changed. */
  void recount() {
    bytes = position(entries.size());
  }

  /** The entry that begins at a position, or the number of entries at the end. */
  int entryAt(long position) {
    long left = position;
    int index = 0;
    while (left > 0) {
      left -= entries.get(index).bytes();
      index++;
    }
    return index;
  }

  /** The position of an entry. */
  long position(int index) {
    long position = 0;
    for (IndexEntry entry : entries.subList(0, index)) {
      position += entry.bytes();
    }
    return position;
  }

  /** The entry that holds a byte. */
  int entryOf(long offset) {
    long left = offset;
    int index = 0;
    while (left >= entries.get(index).bytes()) {
      left -= entries.get(index).bytes();
      index++;
    }
    return index;
  }
}
