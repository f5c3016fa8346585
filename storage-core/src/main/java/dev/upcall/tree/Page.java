package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One page in memory: a slotted array of sorted entries, almost as it goes to disk, and for an
 * inner page the pointers to its children. A child's pointer has a place of 32 bytes as the value
 * of its entry, which is filled only when the page is encoded.
 *
 * <p>After the header come the slots, two bytes each: the place of an entry. Entries are filled in
 * from the end of the page: key length, value length, key, value. Removed entries leave dead bytes
 * until the page is compacted.
 *
 * <p>In an inner page the key of an entry is the low key of the child's range: no key in the child
 * is below it. The low key of the leftmost page of a level is empty.
 */
final class Page {
  static final int HEADER_BYTES = 48;
  private static final int SLOT_BYTES = 2;
  private static final int LENGTHS_BYTES = 4;

  /** Rough heap cost of a page beside its bytes, and of a child pointer. */
  private static final int PAGE_OVERHEAD_BYTES = 128;

  private static final int CHILD_OVERHEAD_BYTES = 68;
  private static final PageRef[] NO_CHILDREN = {};

  private final byte[] data;
  private final int level;
  private final @Nullable Edition edition;
  private int count;
  private int heapStart;
  private int deadBytes;
  private PageRef[] children;

  private Page(byte[] data, int level, @Nullable Edition edition, PageRef[] children) {
    this.data = data;
    this.level = level;
    this.edition = edition;
    this.children = children;
    this.heapStart = data.length;
  }

  /** A new, empty page. */
  static Page create(TreeConfig config, int level, Edition edition) {
    return new Page(
        new byte[config.pageBytes()], level, edition, level == 0 ? NO_CHILDREN : new PageRef[4]);
  }

  /** A page around an image that was verified; nobody may change it. */
  static Page around(byte[] data, int level, int count, int heapStart, PageRef[] children) {
    Page page = new Page(data, level, null, children);
    page.count = count;
    page.heapStart = heapStart;
    return page;
  }

  /** A copy that the given edition may change. */
  Page copy(Edition by) {
    Page copy = new Page(data.clone(), level, by, level == 0 ? NO_CHILDREN : children.clone());
    copy.count = count;
    copy.heapStart = heapStart;
    copy.deadBytes = deadBytes;
    return copy;
  }

  /** A page with one more entry, too large for the disk; only to be split. */
  Page copyWith(int index, byte[] key, byte[] value, @Nullable PageRef child, Edition by) {
    byte[] larger = new byte[data.length + entryBytes(key.length, value.length)];
    Page copy = new Page(larger, level, by, level == 0 ? NO_CHILDREN : new PageRef[count + 1]);
    for (int i = 0; i <= count; i++) {
      if (i == index) {
        copy.insert(i, key, value, child);
      } else {
        copy.append(this, i < index ? i : i - 1);
      }
    }
    return copy;
  }

  /** What an entry takes of a page, with its slot. */
  static int entryBytes(int keyBytes, int valueBytes) {
    return SLOT_BYTES + LENGTHS_BYTES + keyBytes + valueBytes;
  }

  int level() {
    return level;
  }

  int count() {
    return count;
  }

  boolean belongsTo(Edition to) {
    return edition == to;
  }

  int heapBytes() {
    return data.length + PAGE_OVERHEAD_BYTES + children.length * CHILD_OVERHEAD_BYTES;
  }

  /** Bytes of entries and slots. */
  int usedBytes() {
    return data.length - heapStart - deadBytes + count * SLOT_BYTES;
  }

  boolean fits(int entryBytes, int maxEntries) {
    return count < maxEntries && usedBytes() + entryBytes <= data.length - HEADER_BYTES;
  }

  private int offset(int index) {
    return u16(HEADER_BYTES + SLOT_BYTES * index);
  }

  private int u16(int at) {
    return u16(data, at);
  }

  private static int u16(byte[] in, int at) {
    return in[at] & 0xFF | (in[at + 1] & 0xFF) << 8;
  }

  private void setU16(int at, int value) {
    data[at] = (byte) value;
    data[at + 1] = (byte) (value >>> 8);
  }

  int keyBytes(int index) {
    return u16(offset(index));
  }

  int valueBytes(int index) {
    return u16(offset(index) + 2);
  }

  int entryBytes(int index) {
    return entryBytes(keyBytes(index), valueBytes(index));
  }

  byte[] key(int index) {
    int start = offset(index) + LENGTHS_BYTES;
    return Arrays.copyOfRange(data, start, start + keyBytes(index));
  }

  byte[] value(int index) {
    int start = offset(index) + LENGTHS_BYTES + keyBytes(index);
    return Arrays.copyOfRange(data, start, start + valueBytes(index));
  }

  /** Copies lengths, key and value of an entry as they are; returns how many bytes that was. */
  int copyEntry(int index, byte[] to, int at) {
    int length = entryBytes(index) - SLOT_BYTES;
    System.arraycopy(data, offset(index), to, at, length);
    return length;
  }

  int compareKey(int index, byte[] key) {
    int start = offset(index) + LENGTHS_BYTES;
    return Arrays.compareUnsigned(data, start, start + keyBytes(index), key, 0, key.length);
  }

  /** Where the key is, or {@code -(where it would be) - 1}. */
  int find(byte[] key) {
    int low = 0;
    int high = count - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compareKey(middle, key);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  /** Which child's range holds the key. */
  int childIndex(byte[] key) {
    int found = find(key);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }

  PageRef child(int index) {
    return children[index];
  }

  void setChild(int index, PageRef child) {
    children[index] = child;
  }

  boolean hasResidentChild() {
    for (int i = 0; i < count && level > 0; i++) {
      if (children[i].isResident()) {
        return true;
      }
    }
    return false;
  }

  /** Inserts an entry that fits; of an inner page with its child. */
  void insert(int index, byte[] key, byte[] value, @Nullable PageRef child) {
    int length = LENGTHS_BYTES + key.length + value.length;
    if (heapStart - length < HEADER_BYTES + SLOT_BYTES * (count + 1)) {
      compact();
    }
    heapStart -= length;
    Invariants.check(
        heapStart >= HEADER_BYTES + SLOT_BYTES * (count + 1), "page overflow", heapStart);
    setU16(heapStart, key.length);
    setU16(heapStart + 2, value.length);
    System.arraycopy(key, 0, data, heapStart + LENGTHS_BYTES, key.length);
    System.arraycopy(value, 0, data, heapStart + LENGTHS_BYTES + key.length, value.length);
    int slot = HEADER_BYTES + SLOT_BYTES * index;
    System.arraycopy(data, slot, data, slot + SLOT_BYTES, SLOT_BYTES * (count - index));
    setU16(slot, heapStart);
    if (child != null) {
      if (count == children.length) {
        children = Arrays.copyOf(children, count * 2);
      }
      System.arraycopy(children, index, children, index + 1, count - index);
      children[index] = child;
    }
    count++;
  }

  /** Appends an entry of another page of the same level. */
  void append(Page from, int index) {
    insert(count, from.key(index), from.value(index), from.level > 0 ? from.children[index] : null);
  }

  /** Overwrites a value by one of the same length. */
  void overwriteValue(int index, byte[] value) {
    Invariants.check(valueBytes(index) == value.length, "value length", value.length);
    System.arraycopy(value, 0, data, offset(index) + LENGTHS_BYTES + keyBytes(index), value.length);
  }

  void remove(int index) {
    deadBytes += entryBytes(index) - SLOT_BYTES;
    int slot = HEADER_BYTES + SLOT_BYTES * index;
    System.arraycopy(data, slot + SLOT_BYTES, data, slot, SLOT_BYTES * (count - index - 1));
    if (level > 0) {
      System.arraycopy(children, index + 1, children, index, count - index - 1);
    }
    count--;
    if (count == 0) {
      heapStart = data.length;
      deadBytes = 0;
    }
  }

  private void compact() {
    byte[] old = data.clone();
    int to = data.length;
    for (int i = count - 1; i >= 0; i--) {
      int from = u16(HEADER_BYTES + SLOT_BYTES * i);
      int length = LENGTHS_BYTES + u16(old, from) + u16(old, from + 2);
      to -= length;
      System.arraycopy(old, from, data, to, length);
      setU16(HEADER_BYTES + SLOT_BYTES * i, to);
    }
    heapStart = to;
    deadBytes = 0;
  }
}
