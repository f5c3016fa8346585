package dev.upcall.txn.state;

import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.volume.StoreRoot;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What the store keeps of a named snapshot: the value in tree 6, little-endian.
 *
 * <pre>
 *   0  u8   version of this form, 1     1  u8   r: number of roots
 *   2  u16  e: number of extents        4  u32  reserved, zero
 *   8  u64  SCN
 *  16  u64  created, nanoseconds since 1970
 *  24  u64  sequence of the image of the free-space map that it holds
 *  32  u64  digest of that image's bits as they are stored for the snapshot
 *  40  u64  blocks of the volume at that moment
 *  48  r x (u8 tree | 32 bytes pointer)    trees without an entry are left out
 *      e x (u64 block | u32 blocks)        the bits: copy A, then copy B
 * </pre>
 *
 * @param scn the last change in it
 * @param createdNanos when, since 1970
 * @param mapSequence of the map's image that says what it holds
 * @param mapDigest over the blocks of the stored bits
 * @param volumeBlocks the volume's size then
 * @param roots its trees
 * @param extents where its bits are: all blocks of the first copy, then all of the second
 */
public record SnapshotRecord(
    long scn,
    long createdNanos,
    long mapSequence,
    long mapDigest,
    long volumeBlocks,
    List<StoreRoot> roots,
    List<Extent> extents) {
  /** So many extents each copy may have. */
  public static final int MAX_PIECES = 30;

  private static final byte FORM = 1;
  private static final int HEAD_BYTES = 48;
  private static final int ROOT_BYTES = 1 + PageRef.ENCODED_BYTES;
  private static final int EXTENT_BYTES = 12;

  public SnapshotRecord {
    roots = List.copyOf(roots);
    extents = List.copyOf(extents);
  }

  public byte[] encode() {
    List<StoreRoot> full = roots.stream().filter(root -> root.reference().length > 0).toList();
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_BYTES + full.size() * ROOT_BYTES + extents.size() * EXTENT_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.put(FORM).put((byte) full.size()).putShort((short) extents.size()).putInt(0);
    out.putLong(scn).putLong(createdNanos);
    out.putLong(mapSequence).putLong(mapDigest).putLong(volumeBlocks);
    for (StoreRoot root : full) {
      out.put((byte) root.treeId()).put(root.reference());
    }
    for (Extent extent : extents) {
      out.putLong(extent.block()).putInt(Math.toIntExact(extent.blocks()));
    }
    return out.array();
  }

  /**
   * Reads the stored form.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static SnapshotRecord decode(byte[] value) {
    ByteBuffer in = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    try {
      byte form = in.get();
      if (form != FORM) {
        throw new IllegalArgumentException("snapshot of form " + form);
      }
      int rootCount = Byte.toUnsignedInt(in.get());
      int extentCount = Short.toUnsignedInt(in.getShort());
      in.getInt();
      long scn = in.getLong();
      long createdNanos = in.getLong();
      long mapSequence = in.getLong();
      long mapDigest = in.getLong();
      long volumeBlocks = in.getLong();
      List<StoreRoot> roots = new ArrayList<>();
      for (int i = 0; i < rootCount; i++) {
        StoreTree tree = StoreTree.of(in.get());
        byte[] reference = new byte[PageRef.ENCODED_BYTES];
        in.get(reference);
        roots.add(new StoreRoot(tree.number(), reference));
      }
      List<Extent> extents = new ArrayList<>();
      for (int i = 0; i < extentCount; i++) {
        extents.add(extent(in.getLong(), in.getInt()));
      }
      if (in.hasRemaining() || scn < 0 || volumeBlocks < 0) {
        throw new IllegalArgumentException("snapshot of a wrong form");
      }
      return new SnapshotRecord(
          scn, createdNanos, mapSequence, mapDigest, volumeBlocks, roots, extents);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("snapshot is cut short", e);
    }
  }

  private static Extent extent(long block, int blocks) {
    if (block <= 0 || blocks <= 0 || block > Long.MAX_VALUE - blocks) {
      throw new IllegalArgumentException("snapshot with " + blocks + " blocks at " + block);
    }
    return new Extent(block, blocks);
  }

  /** The same with the second copy of the bits first. */
  public SnapshotRecord swapped() {
    long half = extents.stream().mapToLong(Extent::blocks).sum() / 2;
    List<Extent> second = new ArrayList<>();
    List<Extent> first = new ArrayList<>();
    for (Extent extent : extents) {
      (half > 0 ? first : second).add(extent);
      half -= extent.blocks();
    }
    second.addAll(first);
    return new SnapshotRecord(
        scn, createdNanos, mapSequence, mapDigest, volumeBlocks, roots, second);
  }

  /** One run of the blocks that extents have together, from the one with that number on. */
  public static Extent run(List<Extent> extents, long index, int most) {
    long skip = index;
    for (Extent extent : extents) {
      if (skip < extent.blocks()) {
        return new Extent(extent.block() + skip, Math.min(most, extent.blocks() - skip));
      }
      skip -= extent.blocks();
    }
    throw new IllegalArgumentException("block " + index + " of " + extents);
  }
}
