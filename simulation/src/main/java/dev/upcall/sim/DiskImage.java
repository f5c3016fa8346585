package dev.upcall.sim;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a volume: sparse, and cheap to fork. A radix tree of 64-way nodes over block
 * addresses whose nodes and blocks are shared between forks and copied when first changed.
 */
public final class DiskImage {
  private static final int BITS = 6;
  private static final int FAN_OUT = 1 << BITS;
  private static final int LEVELS = 5;

  /** Addresses must lie below this: 4 TiB. */
  public static final long MAX_BLOCKS = 1L << (BITS * LEVELS);

  private static final class Node {
    private final Object owner;
    private final @Nullable Object[] slots;

    private Node(Object owner, @Nullable Object[] slots) {
      this.owner = owner;
      this.slots = slots;
    }
  }

  private Object owner = new Object();
  private Node root = new Node(owner, new Object[FAN_OUT]);
  private long sizeBlocks;

  /** An image of zeros. */
  public DiskImage(long sizeBlocks) {
    resize(sizeBlocks);
  }

  /** An independent image with the same contents, in constant time. */
  public DiskImage fork() {
    DiskImage copy = new DiskImage(0);
    copy.root = root;
    copy.sizeBlocks = sizeBlocks;
    owner = new Object();
    return copy;
  }

  /** The volume's size. */
  public long sizeBlocks() {
    return sizeBlocks;
  }

  /** Changes the size; blocks that are cut off read as zeros when the image grows again. */
  public void resize(long blocks) {
    Invariants.check(blocks >= 0 && blocks <= MAX_BLOCKS, "image size", blocks);
    if (blocks < sizeBlocks) {
      discard(blocks, sizeBlocks - blocks);
    }
    sizeBlocks = blocks;
  }

  /** The block's bytes, not to be changed by the caller; null for a block of zeros. */
  public byte @Nullable [] get(long block) {
    Object at = root;
    for (int level = LEVELS - 1; level >= 0; level--) {
      at = ((Node) at).slots[index(block, level)];
      if (at == null) {
        return null;
      }
    }
    return (byte[]) at;
  }

  /** A copy of the block's bytes. */
  public byte[] read(long block) {
    byte[] bytes = get(block);
    return bytes == null ? new byte[Disk.BLOCK_BYTES] : bytes.clone();
  }

  /** Sets a block; the array belongs to the image from now on and must not change. */
  public void put(long block, byte @Nullable [] bytes) {
    Invariants.check(block >= 0 && block < MAX_BLOCKS, "address", block);
    Invariants.check(bytes == null || bytes.length == Disk.BLOCK_BYTES, "not one block");
    if (bytes == null && get(block) == null) {
      return;
    }
    root = owned(root);
    Node node = root;
    for (int level = LEVELS - 1; level > 0; level--) {
      int index = index(block, level);
      Node child = (Node) node.slots[index];
      Node mine = child == null ? new Node(owner, new Object[FAN_OUT]) : owned(child);
      node.slots[index] = mine;
      node = mine;
    }
    node.slots[index(block, 0)] = bytes;
  }

  /** Turns blocks into zeros. */
  public void discard(long block, long blocks) {
    long end = blocks > MAX_BLOCKS - block ? MAX_BLOCKS : block + blocks;
    walk(root, LEVELS - 1, 0, new Range(block, end), at -> put(at, null));
  }

  /** Inverts one bit, as a decaying medium does. */
  public void flipBit(long block, int bit) {
    byte[] bytes = read(block);
    bytes[bit / 8] ^= (byte) (1 << (bit % 8));
    put(block, bytes);
  }

  /** Visits the addresses that hold something other than never-written zeros, ascending. */
  public void forEachWritten(LongConsumer consumer) {
    walk(root, LEVELS - 1, 0, new Range(0, MAX_BLOCKS), consumer);
  }

  /** A checksum over size and contents; equal contents give equal checksums. */
  public long digest() {
    CRC32C crc = new CRC32C();
    long[] sum = {sizeBlocks};
    forEachWritten(
        block -> {
          byte[] bytes = Invariants.present(get(block), "bytes of a written block");
          if (!isZero(bytes)) {
            crc.reset();
            crc.update(bytes);
            sum[0] = (sum[0] * 1_000_003 + block) * 1_000_003 + crc.getValue();
          }
        });
    return sum[0];
  }

  static boolean isZero(byte[] bytes) {
    return Arrays.mismatch(bytes, ZEROS) < 0;
  }

  private static final byte[] ZEROS = new byte[Disk.BLOCK_BYTES];

  private record Range(long first, long end) {}

  private static void walk(Node node, int level, long prefix, Range range, LongConsumer consumer) {
    for (int i = 0; i < FAN_OUT; i++) {
      Object slot = node.slots[i];
      if (slot == null) {
        continue;
      }
      long address = (prefix << BITS) | i;
      long firstBelow = address << (BITS * level);
      if (firstBelow >= range.end || firstBelow + (1L << (BITS * level)) <= range.first) {
        continue;
      }
      if (level == 0) {
        consumer.accept(address);
      } else {
        walk((Node) slot, level - 1, address, range, consumer);
      }
    }
  }

  private Node owned(Node node) {
    return node.owner == owner ? node : new Node(owner, node.slots.clone());
  }

  private static int index(long block, int level) {
    return (int) (block >>> (BITS * level)) & (FAN_OUT - 1);
  }
}
