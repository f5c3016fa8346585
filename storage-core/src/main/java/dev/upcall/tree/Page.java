package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One page in memory: a slotted array of sorted entries, almost as it goes to disk, and for an
 * inner page the pointers to its children. A child's pointer has a place of 32 bytes as the value
 * of its entry, which is filled only when the page is encoded; in a page from disk, and its copies,
 * it is filled where the pointer was not made yet: that is done by the first thread that asks.
 *
 * <p>After the header come the slots, two bytes each: the place of an entry. Entries are filled in
 * from the end of the page: key length, value length, key, value. Removed entries leave dead bytes
 * until the page is compacted.
 *
 * <p>In an inner page the key of an entry is the low key of the child's range: no key in the child
 * is below it. The low key of the leftmost page of a level is empty.
 *
 * <p>All that other threads see change is in the arrays, and those fields are final: so a thread
 * that comes upon a page that was just loaded, without any order between the two, sees all of it.
 */
final class Page {
  static final int HEADER_BYTES = 48;

  /** Where the count of entries and the place of the first of them stand, here and on disk. */
  static final int COUNT_AT = 30;

  static final int HEAP_START_AT = 32;

  /** Where the bytes of removed entries are counted; on disk there are none. */
  private static final int DEAD_BYTES_AT = 34;

  private static final int SLOT_BYTES = 2;
  private static final int LENGTHS_BYTES = 4;

  /** Rough heap cost of a page beside its bytes, of a child's place, and of its pointer. */
  private static final int PAGE_OVERHEAD_BYTES = 128;

  private static final int CHILD_PLACE_BYTES = 4;
  private static final int CHILD_BYTES = 64;

  private final byte[] data;
  private final int level;
  private final @Nullable Edition edition;
  private final Children children;

  /** Of a page from disk and its copies: whose pointers those are that were not made yet. */
  private final @Nullable TreeHome home;

  private Page(
      byte[] data,
      int level,
      @Nullable Edition edition,
      Children children,
      @Nullable TreeHome home) {
    this.data = data;
    this.level = level;
    this.edition = edition;
    this.children = children;
    this.home = home;
  }

  /** A new, empty page. */
  static Page create(TreeConfig config, int level, Edition edition) {
    return empty(config.pageBytes(), level, edition);
  }

  private static Page empty(int pageBytes, int level, Edition edition) {
    Children children = level == 0 ? Children.NONE : new Children(mostChildren(pageBytes));
    Page page = new Page(new byte[pageBytes], level, edition, children, null);
    page.setU16(HEAP_START_AT, pageBytes);
    return page;
  }

  private static int mostChildren(int pageBytes) {
    return (pageBytes - HEADER_BYTES) / entryBytes(0, PageRef.ENCODED_BYTES);
  }

  /** A page around an image that was verified, and is its own; nobody may change it. */
  static Page around(byte[] data, int level, TreeHome home) {
    setU16(data, DEAD_BYTES_AT, 0);
    Children children = level == 0 ? Children.NONE : new Children(u16(data, COUNT_AT));
    return new Page(data, level, null, children, home);
  }

  /** A copy that the given edition may change. */
  Page copy(Edition by) {
    Children copies =
        level == 0 ? Children.NONE : children.copy(count(), mostChildren(data.length));
    return new Page(data.clone(), level, by, copies, home);
  }

  /** A page with one more entry, too large for the disk; only to be split. */
  Page copyWith(int index, byte[] key, byte[] value, @Nullable PageRef child, Edition by) {
    Page copy = empty(data.length + entryBytes(key.length, value.length), level, by);
    int count = count();
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
    return u16(COUNT_AT);
  }

  private int heapStart() {
    return u16(HEAP_START_AT);
  }

  boolean belongsTo(Edition to) {
    return edition == to;
  }

  /** What it takes of the heap now, which changes as pointers to children are made. */
  int heapBytes() {
    int bytes = data.length + PAGE_OVERHEAD_BYTES + children.room() * CHILD_PLACE_BYTES;
    for (int i = 0; level > 0 && i < count(); i++) {
      bytes += children.get(i) == null ? 0 : CHILD_BYTES;
    }
    return bytes;
  }

  /**
   * Forgets pointers to children that are not resident, of a page that is as it came from disk:
   * they are made again when somebody asks. The owner's thread.
   */
  void forgetChildren(Predicate<PageRef> mayGo) {
    for (int i = 0; level > 0 && edition == null && home != null && i < count(); i++) {
      PageRef child = children.get(i);
      if (child != null && !child.isResident() && mayGo.test(child)) {
        children.set(i, null);
      }
    }
  }

  /** Bytes of entries and slots. */
  int usedBytes() {
    return data.length - heapStart() - u16(DEAD_BYTES_AT) + count() * SLOT_BYTES;
  }

  boolean fits(int entryBytes, TreeConfig config) {
    return config.fits(level, count(), usedBytes() + entryBytes);
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
    setU16(data, at, value);
  }

  private static void setU16(byte[] in, int at, int value) {
    in[at] = (byte) value;
    in[at + 1] = (byte) (value >>> 8);
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
    int high = count() - 1;
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

  /** The key of an entry of a tree by position: a number of eight bytes. */
  long number(int index) {
    return ByteBuffer.wrap(data).getLong(offset(index) + LENGTHS_BYTES);
  }

  /** Sets such a key; the order of the page's keys must stay. */
  void setNumber(int index, long number) {
    ByteBuffer.wrap(data).putLong(offset(index) + LENGTHS_BYTES, number);
  }

  /** All such keys from an entry on become larger by so much. */
  void moveNumbers(int from, long by) {
    ByteBuffer numbers = ByteBuffer.wrap(data);
    int count = count();
    for (int i = from; i < count; i++) {
      int at = offset(i) + LENGTHS_BYTES;
      numbers.putLong(at, numbers.getLong(at) + by);
    }
  }

  /** The value of an entry of a leaf of a tree by position. */
  long numberValue(int index) {
    int at = offset(index) + LENGTHS_BYTES + Long.BYTES;
    return Long.reverseBytes(ByteBuffer.wrap(data).getLong(at));
  }

  /** The last entry whose number is not above this one; the first has zero. */
  int floor(long number) {
    ByteBuffer numbers = ByteBuffer.wrap(data);
    int low = 1;
    int high = count() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (numbers.getLong(offset(middle) + LENGTHS_BYTES) <= number) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - 1;
  }

  PageRef child(int index) {
    PageRef child = childIfMade(index);
    return child != null ? child : makeChild(index);
  }

  /** A child's pointer; null if nobody has asked for it, and its place in the page is filled. */
  @Nullable PageRef childIfMade(int index) {
    return children.get(index);
  }

  private PageRef makeChild(int index) {
    int at = offset(index) + LENGTHS_BYTES + keyBytes(index);
    ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN).position(at);
    PageRef made = Invariants.present(PageRef.decode(home, in), "the address of a child");
    return children.fill(index, made);
  }

  void setChild(int index, PageRef child) {
    children.set(index, child);
  }

  boolean hasResidentChild() {
    for (int i = 0; level > 0 && i < count(); i++) {
      PageRef child = childIfMade(i);
      if (child != null && child.isResident()) {
        return true;
      }
    }
    return false;
  }

  /** Inserts an entry that fits; of an inner page with its child. */
  void insert(int index, byte[] key, byte[] value, @Nullable PageRef child) {
    int at = makeRoom(LENGTHS_BYTES + key.length + value.length);
    setU16(at, key.length);
    setU16(at + 2, value.length);
    System.arraycopy(key, 0, data, at + LENGTHS_BYTES, key.length);
    System.arraycopy(value, 0, data, at + LENGTHS_BYTES + key.length, value.length);
    enter(index, at, child);
  }

  /** Appends an entry of another page of the same level, as it stands there. */
  void append(Page from, int index) {
    int at = makeRoom(from.entryBytes(index) - SLOT_BYTES);
    from.copyEntry(index, data, at);
    enter(count(), at, level > 0 ? from.child(index) : null);
  }

  /** Where an entry of so many bytes can stand beside its slot. */
  private int makeRoom(int length) {
    int slotsEnd = HEADER_BYTES + SLOT_BYTES * (count() + 1);
    if (heapStart() - length < slotsEnd) {
      compact();
    }
    int heapStart = heapStart() - length;
    Invariants.check(heapStart >= slotsEnd, "page overflow", heapStart);
    setU16(HEAP_START_AT, heapStart);
    return heapStart;
  }

  /** Gives an entry that stands there its slot, and of an inner page its child. */
  private void enter(int index, int at, @Nullable PageRef child) {
    int count = count();
    int slot = HEADER_BYTES + SLOT_BYTES * index;
    System.arraycopy(data, slot, data, slot + SLOT_BYTES, SLOT_BYTES * (count - index));
    setU16(slot, at);
    if (child != null) {
      children.insert(index, count, child);
    }
    setU16(COUNT_AT, count + 1);
  }

  /** Overwrites a value by one of the same length. */
  void overwriteValue(int index, byte[] value) {
    Invariants.check(valueBytes(index) == value.length, "value length", value.length);
    System.arraycopy(value, 0, data, offset(index) + LENGTHS_BYTES + keyBytes(index), value.length);
  }

  void remove(int index) {
    int count = count();
    setU16(DEAD_BYTES_AT, u16(DEAD_BYTES_AT) + entryBytes(index) - SLOT_BYTES);
    int slot = HEADER_BYTES + SLOT_BYTES * index;
    System.arraycopy(data, slot + SLOT_BYTES, data, slot, SLOT_BYTES * (count - index - 1));
    if (level > 0) {
      children.remove(index, count);
    }
    setU16(COUNT_AT, count - 1);
    if (count == 1) {
      setU16(HEAP_START_AT, data.length);
      setU16(DEAD_BYTES_AT, 0);
    }
  }

  private void compact() {
    byte[] old = data.clone();
    int to = data.length;
    for (int i = count() - 1; i >= 0; i--) {
      int from = u16(HEADER_BYTES + SLOT_BYTES * i);
      int length = LENGTHS_BYTES + u16(old, from) + u16(old, from + 2);
      to -= length;
      System.arraycopy(old, from, data, to, length);
      setU16(HEADER_BYTES + SLOT_BYTES * i, to);
    }
    setU16(HEAP_START_AT, to);
    setU16(DEAD_BYTES_AT, 0);
  }
}
