package dev.upcall.segment.layout;

import dev.upcall.coding.StoredUnit;
import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of an inode, drawn in {@code docs/format.md}. Little-endian; at most {@link
 * #MAX_BYTES} long.
 */
public final class InodeCodec {
  /** The longest stored inode: the longest value of a tree entry. */
  public static final int MAX_BYTES = 1200;

  /** What the layout may take of it. */
  public static final int MAX_LAYOUT_BYTES = 640;

  /** The form of content that was never edited in the middle. */
  private static final int VERSION = 1;

  /** The form with a map of pieces. */
  private static final int VERSION_PIECED = 2;

  /** Without expiry, attributes and layout. */
  private static final int PLAIN_BYTES = 70;

  /** The flag of an inode with an expiry. */
  private static final int EXPIRES = 1;

  /** The flag of an inode with a map of pieces before its layout. */
  private static final int PIECED = 4;

  /** The flag of a map whose pieces are, for the most part, in a tree. */
  private static final int FOLDED = 8;

  /** No block can have a greater number: its bytes could not be addressed. */
  private static final long MAX_BLOCK = Long.MAX_VALUE / Disk.BLOCK_BYTES;

  private static final int PLAIN_HEAD_BYTES = 12;
  private static final int CODED_HEAD_BYTES = 16;

  /** In the place of a number of blocks: the entry is coded, and where which of its numbers is. */
  private static final int CODED = 1 << 31;

  private static final int CODEC = 16;
  private static final int STORED = 12;
  private static final int WHOLE = 8;
  private static final int SKIP = 4;
  private static final int COUNT = 0;
  private static final int CODED_BITS = CODED | 0xFFFFF;

  private static final int LAYOUT_INLINE = 1;
  private static final int LAYOUT_EXTENTS = 2;
  private static final int LAYOUT_INDEXED = 3;
  private static final int LAYOUT_UNMAPPED = 4;

  private InodeCodec() {}

  /** The stored form. The layout must fit ({@link #layoutBytes}) and so must the attributes. */
  public static byte[] encode(Inode inode) {
    ByteBuffer out = ByteBuffer.allocate(mostBytes(inode)).order(ByteOrder.LITTLE_ENDIAN);
    PieceMap pieces = inode.layout().pieces();
    out.put((byte) (pieces == null ? VERSION : VERSION_PIECED));
    out.put((byte) inode.kind().code());
    out.put((byte) layoutCode(inode.layout()));
    out.put((byte) ((inode.times().hasExpiry() ? EXPIRES : 0) | flags(pieces)));
    out.putInt(inode.links()).putInt(inode.mode()).putLong(inode.owner()).putLong(inode.parent());
    Times times = inode.times();
    out.putLong(times.createdNanos()).putLong(times.modifiedNanos()).putLong(times.changedNanos());
    out.putLong(inode.size()).putLong(inode.version());
    if (times.hasExpiry()) {
      out.putLong(times.expiresNanos());
    }
    out.putShort((short) inode.attributes().size());
    for (Map.Entry<String, byte[]> attribute : inode.attributes().entrySet()) {
      putBytes(out, attribute.getKey().getBytes(StandardCharsets.UTF_8));
      putBytes(out, attribute.getValue());
    }
    encodeLayout(inode.layout(), out);
    return out.hasRemaining() ? Arrays.copyOf(out.array(), out.position()) : out.array();
  }

  private static int flags(@Nullable PieceMap pieces) {
    if (pieces == null) {
      return 0;
    }
    return pieces.folded() == null ? PIECED : PIECED | FOLDED;
  }

  /** What the stored form takes; where there are attributes, what it may take. */
  private static int mostBytes(Inode inode) {
    if (!inode.attributes().isEmpty()) {
      return MAX_BYTES;
    }
    int expiryBytes = inode.times().hasExpiry() ? Long.BYTES : 0;
    return PLAIN_BYTES + expiryBytes + layoutBytes(inode.layout());
  }

  /**
   * The inode of a stored form.
   *
   * @throws IllegalArgumentException if it is not one; the message says where
   */
  public static Inode decode(long id, byte[] encoded) {
    ByteBuffer in = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int version = in.get();
      if (version != VERSION && version != VERSION_PIECED) {
        throw new IllegalArgumentException("inode " + id + " has unknown format " + version);
      }
      Kind kind = Kind.of(in.get());
      int layoutCode = in.get();
      int flags = in.get();
      boolean isPieced = (flags & PIECED) != 0;
      boolean isFolded = (flags & FOLDED) != 0;
      if ((flags & ~(EXPIRES | PIECED | FOLDED)) != 0
          || (isFolded && !isPieced)
          || isPieced != (version == VERSION_PIECED)
          || encoded.length > MAX_BYTES) {
        throw new IllegalArgumentException("inode " + id + " has what this format does not know");
      }
      int links = in.getInt();
      int mode = in.getInt();
      long owner = in.getLong();
      long parent = in.getLong();
      long created = in.getLong();
      long modified = in.getLong();
      long changed = in.getLong();
      long size = in.getLong();
      long inodeVersion = in.getLong();
      long expires = (flags & EXPIRES) == 0 ? Times.NEVER : decodeExpiry(id, in.getLong());
      if (size < 0) {
        throw new IllegalArgumentException("inode " + id + " of size " + size);
      }
      SortedMap<String, byte[]> attributes = decodeAttributes(in);
      Layout layout =
          isPieced
              ? decodePieced(id, layoutCode, size, PieceMapCodec.decode(in, isFolded), in)
              : decodeLayout(layoutCode, in);
      checkEnd(in);
      return new Inode(
          id,
          kind,
          links,
          mode,
          owner,
          parent,
          new Times(created, modified, changed, expires),
          size,
          inodeVersion,
          attributes,
          layout);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("inode " + id + " is cut short at " + encoded.length, e);
    }
  }

  /** How many bytes the stored form of a layout takes. */
  public static int layoutBytes(Layout layout) {
    return switch (layout) {
      case Layout.Inline inline -> 2 + inline.bytes().length;
      case Layout.Extents extents -> {
        int bytes = 2;
        for (ExtentEntry entry : extents.entries()) {
          bytes += Long.BYTES + entryBytes(entry);
        }
        yield bytes;
      }
      case Layout.Indexed indexed -> PageRef.ENCODED_BYTES + 8;
      case Layout.Unmapped unmapped -> PageRef.ENCODED_BYTES;
      case Layout.Pieced(PieceMap pieces, Layout.Space space) ->
          pieces.encodedBytes() + layoutBytes(space);
    };
  }

  /** Whether an inode has room for a layout. */
  public static boolean isFitting(Layout layout) {
    return layoutBytes(layout) <= MAX_LAYOUT_BYTES;
  }

  /** The value of an extent tree's entry; its key is the logical block. */
  public static byte[] encodeEntry(ExtentEntry entry) {
    ByteBuffer out = ByteBuffer.allocate(entryBytes(entry)).order(ByteOrder.LITTLE_ENDIAN);
    putEntry(out, entry);
    return out.array();
  }

  /** How long {@link #encodeEntry} will be. */
  public static int entryBytes(ExtentEntry entry) {
    int head = entry instanceof ExtentEntry.Coded ? CODED_HEAD_BYTES : PLAIN_HEAD_BYTES;
    return head + Integer.BYTES * entry.checksums().length;
  }

  /**
   * How many content blocks the entry of a value has.
   *
   * @throws IllegalArgumentException if it is none
   */
  static int entryBlocks(byte[] value) {
    if (value.length < PLAIN_HEAD_BYTES) {
      throw new IllegalArgumentException("extent entry is cut short at " + value.length);
    }
    int form = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getInt(Long.BYTES);
    return form < 0 ? nibble(form, COUNT) + 1 : form;
  }

  /**
   * As {@link #decodeEntry}, where content has no place of its own and is never coded.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static ExtentEntry.Plain decodePlainEntry(long logicalBlock, byte[] value) {
    if (decodeEntry(logicalBlock, value) instanceof ExtentEntry.Plain plain) {
      return plain;
    }
    throw new IllegalArgumentException("coded content without a place");
  }

  /**
   * The extent tree's entry of a key's logical block and a value.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static ExtentEntry decodeEntry(long logicalBlock, byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    try {
      ExtentEntry entry = getEntry(in, logicalBlock);
      checkEnd(in);
      return entry;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("extent entry is cut short at " + value.length, e);
    }
  }

  private static long decodeExpiry(long id, long nanos) {
    if (nanos < 0 || nanos == Times.NEVER) {
      throw new IllegalArgumentException("inode " + id + " expires at " + nanos);
    }
    return nanos;
  }

  private static int layoutCode(Layout layout) {
    return switch (layout) {
      case Layout.Inline inline -> LAYOUT_INLINE;
      case Layout.Extents extents -> LAYOUT_EXTENTS;
      case Layout.Indexed indexed -> LAYOUT_INDEXED;
      case Layout.Unmapped unmapped -> LAYOUT_UNMAPPED;
      case Layout.Pieced pieced -> layoutCode(pieced.space());
    };
  }

  private static void encodeLayout(Layout layout, ByteBuffer out) {
    switch (layout) {
      case Layout.Inline inline -> putBytes(out, inline.bytes());
      case Layout.Extents extents -> {
        out.putShort((short) extents.entries().size());
        for (ExtentEntry entry : extents.entries()) {
          out.putLong(entry.logicalBlock());
          putEntry(out, entry);
        }
      }
      case Layout.Indexed indexed -> {
        PageRef.encode(indexed.root(), out);
        out.putLong(indexed.placedBlocks());
      }
      case Layout.Unmapped(PageRef root) -> PageRef.encode(root, out);
      case Layout.Pieced(PieceMap pieces, Layout.Space space) -> {
        PieceMapCodec.encode(pieces, out);
        encodeLayout(space, out);
      }
    }
  }

  private static Layout decodePieced(long id, int code, long size, PieceMap pieces, ByteBuffer in) {
    if (pieces.sizeBytes() != size) {
      throw new IllegalArgumentException(
          "inode %d of size %d has pieces of %d bytes".formatted(id, size, pieces.sizeBytes()));
    }
    if (decodeLayout(code, in) instanceof Layout.Space space) {
      return new Layout.Pieced(pieces, space);
    }
    throw new IllegalArgumentException("inode " + id + " has pieces of what has no blocks");
  }

  private static Layout decodeLayout(int code, ByteBuffer in) {
    return switch (code) {
      case LAYOUT_INLINE -> new Layout.Inline(getBytes(in));
      case LAYOUT_EXTENTS -> {
        int count = Short.toUnsignedInt(in.getShort());
        if (count == 0) {
          yield Layout.EMPTY;
        }
        List<ExtentEntry> entries = new ArrayList<>();
        long end = 0;
        for (int i = 0; i < count; i++) {
          ExtentEntry entry = getEntry(in, in.getLong());
          if (entry.logicalBlock() < end) {
            throw new IllegalArgumentException(
                "extent entries not in order at block " + entry.logicalBlock());
          }
          end = entry.logicalEnd();
          entries.add(entry);
        }
        yield new Layout.Extents(List.copyOf(entries)); // kept for long, and mostly one
      }
      case LAYOUT_INDEXED -> {
        PageRef root = root(in);
        long placedBlocks = in.getLong();
        if (placedBlocks < 0) {
          throw new IllegalArgumentException("extent tree of " + placedBlocks + " blocks");
        }
        yield new Layout.Indexed(root, placedBlocks);
      }
      case LAYOUT_UNMAPPED -> new Layout.Unmapped(root(in));
      default -> throw new IllegalArgumentException("unknown layout " + code);
    };
  }

  private static SortedMap<String, byte[]> decodeAttributes(ByteBuffer in) {
    int count = Short.toUnsignedInt(in.getShort());
    if (count == 0) {
      return Collections.emptySortedMap();
    }
    TreeMap<String, byte[]> attributes = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      byte[] encoded = getBytes(in);
      String name = new String(encoded, StandardCharsets.UTF_8);
      if (!Arrays.equals(name.getBytes(StandardCharsets.UTF_8), encoded)
          || (i > 0 && name.compareTo(attributes.lastKey()) <= 0)) {
        throw new IllegalArgumentException("attribute " + i + " has no proper name");
      }
      attributes.put(name, getBytes(in));
    }
    return Collections.unmodifiableSortedMap(attributes);
  }

  /** The root of a tree, which has two copies. */
  static PageRef root(ByteBuffer in) {
    PageRef root = PageRef.decode(in);
    if (root == null || root.hasOneCopy()) {
      throw new IllegalArgumentException(
          root == null ? "tree without a root" : "tree whose root has one copy");
    }
    return root;
  }

  private static void putEntry(ByteBuffer out, ExtentEntry entry) {
    out.putLong(entry.extent().block());
    switch (entry) {
      case ExtentEntry.Plain plain -> out.putInt(plain.checksums().length);
      case ExtentEntry.Coded(long _, StoredUnit unit, int skip, int blocks) ->
          out.putInt(
                  CODED
                      | unit.codec() << CODEC
                      | unit.checksums().length - 1 << STORED
                      | unit.blocks() - 1 << WHOLE
                      | skip << SKIP
                      | blocks - 1 << COUNT)
              .putInt(unit.storedBytes());
    }
    for (int checksum : entry.checksums()) {
      out.putInt(checksum);
    }
  }

  private static ExtentEntry getEntry(ByteBuffer in, long logicalBlock) {
    long block = in.getLong();
    int blocks = in.getInt();
    if (blocks < 0) {
      return getCoded(in, logicalBlock, block, blocks);
    }
    if (blocks <= 0 || blocks > in.remaining() / Integer.BYTES) {
      throw new IllegalArgumentException("extent entry of " + blocks + " blocks");
    }
    checkPlace(logicalBlock, block);
    return new ExtentEntry.Plain(logicalBlock, new Extent(block, blocks), getChecksums(in, blocks));
  }

  private static ExtentEntry getCoded(ByteBuffer in, long logicalBlock, long block, int form) {
    int storedBytes = in.getInt();
    int codec = nibble(form, CODEC);
    int stored = nibble(form, STORED) + 1;
    int whole = nibble(form, WHOLE) + 1;
    int skip = nibble(form, SKIP);
    int count = nibble(form, COUNT) + 1;
    if ((form & ~CODED_BITS) != 0
        || codec == 0
        || stored >= whole
        || skip + count > whole
        || storedBytes <= 0
        || storedBytes > stored * Disk.BLOCK_BYTES
        || StoredUnit.blocksOf(storedBytes) != stored
        || stored > in.remaining() / Integer.BYTES) {
      throw new IllegalArgumentException(
          "coded extent entry 0x%x of %d bytes".formatted(form, storedBytes));
    }
    checkPlace(logicalBlock, block);
    StoredUnit unit = new StoredUnit(block, getChecksums(in, stored), whole, codec, storedBytes);
    return new ExtentEntry.Coded(logicalBlock, unit, skip, count);
  }

  private static void checkPlace(long logicalBlock, long block) {
    if (block <= 0 || block > MAX_BLOCK || logicalBlock < 0 || logicalBlock > MAX_BLOCK) {
      throw new IllegalArgumentException("extent entry of " + logicalBlock + " at " + block);
    }
  }

  private static int[] getChecksums(ByteBuffer in, int blocks) {
    int[] checksums = new int[blocks];
    in.asIntBuffer().get(checksums);
    in.position(in.position() + blocks * Integer.BYTES);
    return checksums;
  }

  private static int nibble(int form, int at) {
    return form >>> at & 0xF;
  }

  private static void putBytes(ByteBuffer out, byte[] bytes) {
    out.putShort((short) bytes.length).put(bytes);
  }

  private static byte[] getBytes(ByteBuffer in) {
    int length = Short.toUnsignedInt(in.getShort());
    if (length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  private static void checkEnd(ByteBuffer in) {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(in.remaining() + " bytes too many");
    }
  }
}
