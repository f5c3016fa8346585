package dev.upcall.tree;

import dev.upcall.base.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The form of a page on disk, little-endian:
 *
 * <pre>
 *  0  u32 magic "UTRP"
 *  4  u32 CRC32C of everything behind it
 *  8  u64 volume id
 * 16  u64 birth SCN
 * 24  u32 tree id
 * 28  u16 level, 0 = leaf
 * 30  u16 entries
 * 32  u16 where the entries begin
 * 34  14 bytes reserved, zero
 * 48  u16 place of entry 0, 1, ...
 *     zeros
 *     entries in order up to the end of the page: u16 key length, u16 value length, key, value
 * </pre>
 *
 * <p>Keys ascend as unsigned bytes. A leaf's low key is its first key. An inner page's entry has as
 * key the low key of the child's range and as value its {@link PageRef}; so the low key of the page
 * is that of its entry 0.
 */
final class PageCodec {
  static final int MAGIC = 0x50525455; // "UTRP"
  private static final int ENTRY_LENGTHS_BYTES = 4;

  private PageCodec() {}

  /**
   * Encodes a page at the buffer's position, which moves behind it. Holes of removed entries do not
   * go to disk, so the bytes depend on the entries only.
   *
   * @return the checksum for the pointer
   */
  static int encode(Page page, TreeHome tree, long birth, ByteBuffer to) {
    int size = tree.config().pageBytes();
    byte[] image = new byte[size];
    ByteBuffer out = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    int at = size;
    for (int i = page.count() - 1; i >= 0; i--) {
      at -= ENTRY_LENGTHS_BYTES + page.keyBytes(i) + page.valueBytes(i);
      page.copyEntry(i, image, at);
      PageRef child = page.level() > 0 ? page.childIfMade(i) : null;
      if (child != null) {
        PageRef.encode(child, out.position(at + ENTRY_LENGTHS_BYTES + page.keyBytes(i)));
      }
      out.putShort(Page.HEADER_BYTES + 2 * i, (short) at);
    }
    out.putInt(0, MAGIC);
    out.putLong(8, tree.config().volumeId());
    out.putLong(16, birth);
    out.putInt(24, tree.treeId());
    out.putShort(28, (short) page.level());
    out.putShort(Page.COUNT_AT, (short) page.count());
    out.putShort(Page.HEAP_START_AT, (short) at);
    int crc = crc(image);
    out.putInt(4, crc);
    to.put(image);
    return crc;
  }

  /** Which fact about the block is not that of the pointer, or null if it is the page. */
  static PageLoad.@Nullable Mismatch verify(byte[] image, PageRef ref, TreeHome tree) {
    if (ref.isLost()) {
      return new PageLoad.Mismatch("found damaged before", 0, 0);
    }
    ByteBuffer in = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    PageLoad.Mismatch mismatch = differ32("magic", MAGIC, in.getInt(0));
    mismatch = mismatch != null ? mismatch : differ32("stored checksum", ref.crc(), in.getInt(4));
    mismatch = mismatch != null ? mismatch : differ32("checksum", ref.crc(), crc(image));
    mismatch =
        mismatch != null ? mismatch : differ("volume", tree.config().volumeId(), in.getLong(8));
    mismatch = mismatch != null ? mismatch : differ("birth", ref.birth(), in.getLong(16));
    mismatch = mismatch != null ? mismatch : differ("tree", tree.treeId(), in.getInt(24));
    mismatch = mismatch != null ? mismatch : differ("level", ref.level(), in.getShort(28));
    return mismatch != null ? mismatch : verifyEntries(image, ref, tree);
  }

  /** Guards the memory against pages that have a good checksum and bad content. */
  static PageLoad.@Nullable Mismatch verifyEntries(byte[] image, PageRef ref, TreeHome tree) {
    ByteBuffer in = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    int level = ref.level();
    TreeConfig config = tree.config();
    int count = Short.toUnsignedInt(in.getShort(Page.COUNT_AT));
    int at = Short.toUnsignedInt(in.getShort(Page.HEAP_START_AT));
    if (Page.HEADER_BYTES + 2 * count > at || at > image.length || (level > 0 && count == 0)) {
      return new PageLoad.Mismatch("entries", count, at);
    }
    int previousKey = -1;
    int previousLength = 0;
    for (int i = 0; i < count; i++) {
      int place = Short.toUnsignedInt(in.getShort(Page.HEADER_BYTES + 2 * i));
      if (place != at || at + ENTRY_LENGTHS_BYTES > image.length) {
        return new PageLoad.Mismatch("place of entry " + i, at, place);
      }
      int keyBytes = Short.toUnsignedInt(in.getShort(at));
      int valueBytes = Short.toUnsignedInt(in.getShort(at + 2));
      int key = at + ENTRY_LENGTHS_BYTES;
      at = key + keyBytes + valueBytes;
      int maxValue = level > 0 ? PageRef.ENCODED_BYTES : config.maxValueBytes();
      if (keyBytes > config.maxKeyBytes()
          || valueBytes > maxValue
          || (level > 0 && valueBytes != maxValue)
          || at > image.length) {
        return new PageLoad.Mismatch("lengths of entry " + i, keyBytes, valueBytes);
      }
      if (tree.byPosition()
          && (keyBytes != Long.BYTES
              || (level == 0 && valueBytes != Long.BYTES)
              || image[key] < 0
              || (i == 0 && in.getLong(key) != 0))) {
        return new PageLoad.Mismatch("position of entry " + i, 0, in.getLong(key));
      }
      if (previousKey >= 0
          && Arrays.compareUnsigned(
                  image, previousKey, previousKey + previousLength, image, key, key + keyBytes)
              >= 0) {
        return new PageLoad.Mismatch("order of entries", i - 1, i);
      }
      previousKey = key;
      previousLength = keyBytes;
      if (level > 0 && in.getLong(key + keyBytes) == 0) {
        return new PageLoad.Mismatch("address of child " + i, 1, 0);
      }
      if (level > 0 && !mayBeSecond(in.getLong(key + keyBytes + 8), level, tree)) {
        return new PageLoad.Mismatch("second address of child " + i, 1, 0);
      }
      if (level > 0 && in.getInt(key + keyBytes + 20) != level - 1) {
        return new PageLoad.Mismatch("level of child", level - 1, in.getInt(key + keyBytes + 20));
      }
    }
    return differ("end of entries", image.length, at);
  }

  /** Only leaves of trees with keys may have one copy. */
  private static boolean mayBeSecond(long address, int level, TreeHome tree) {
    return address > 0
        || (level == 1
            && !tree.byPosition()
            && (address == PageRef.ONE_COPY || address == PageRef.LOST_COPY));
  }

  /** Makes a page of an image that was verified; keeps the array. */
  static Page decode(byte[] image, TreeHome tree) {
    ByteBuffer in = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    return Page.around(image, Short.toUnsignedInt(in.getShort(28)), tree);
  }

  /** Of fields that are unsigned and shorter than what a report holds. */
  private static PageLoad.@Nullable Mismatch differ32(String what, int expected, int found) {
    return differ(what, Integer.toUnsignedLong(expected), Integer.toUnsignedLong(found));
  }

  private static PageLoad.@Nullable Mismatch differ(String what, long expected, long found) {
    return expected == found ? null : new PageLoad.Mismatch(what, expected, found);
  }

  static int crc(byte[] image) {
    return Checksums.crc32c(image, 8, image.length - 8);
  }
}
