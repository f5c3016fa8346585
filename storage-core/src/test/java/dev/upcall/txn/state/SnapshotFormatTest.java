package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.volume.StoreRoot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the store keeps of a named snapshot, byte by byte. */
class SnapshotFormatTest {
  private static StoreRoot root(StoreTree tree, long address) {
    ByteBuffer out = ByteBuffer.allocate(PageRef.ENCODED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(PageRef.of(address, address + 1000, 0x51525354, 2, 77), out);
    return new StoreRoot(tree.number(), out.array());
  }

  private static SnapshotRecord record() {
    return new SnapshotRecord(
        0x1112131415161718L,
        0x2122232425262728L,
        0x3132333435363738L,
        0x4142434445464748L,
        0x010203040506L,
        List.of(
            root(StoreTree.INODES, 0x1000), new StoreRoot(StoreTree.ORPHANS.number(), new byte[0])),
        List.of(new Extent(0x61626364, 3), new Extent(0x71727374, 1), new Extent(0x81828384L, 4)));
  }

  @Test
  void formIsFixed() {
    Golden.check("snapshot-record", record().encode());
  }

  @Test
  void whatWasStoredIsReadBackWithoutEmptyTrees() {
    SnapshotRecord read = SnapshotRecord.decode(record().encode());
    assertEquals(List.of(root(StoreTree.INODES, 0x1000)), read.roots());
    assertEquals(record().extents(), read.extents());
    assertEquals(record().volumeBlocks(), read.volumeBlocks());
    assertArrayEquals(record().encode(), read.encode());
  }

  @Test
  void theLargestFits() {
    List<StoreRoot> roots = new ArrayList<>();
    for (StoreTree tree : StoreTree.values()) {
      roots.add(root(tree, 0x1000));
    }
    List<Extent> extents =
        Collections.nCopies(2 * SnapshotRecord.MAX_PIECES, new Extent(1L << 40, 1 << 20));
    byte[] value = new SnapshotRecord(1, 2, 3, 4, 5, roots, extents).encode();
    assertTrue(value.length <= 1200, "bytes: " + value.length);
  }

  @Test
  void theCopiesOfTheBitsAreFoundByTheirNumber() {
    SnapshotRecord record = record();
    assertEquals(new Extent(0x61626365, 2), SnapshotRecord.run(record.extents(), 1, 16));
    assertEquals(new Extent(0x71727374, 1), SnapshotRecord.run(record.extents(), 3, 16));
    assertEquals(new Extent(0x81828384L, 2), SnapshotRecord.run(record.extents(), 4, 2));
    assertThrows(IllegalArgumentException.class, () -> SnapshotRecord.run(record.extents(), 8, 1));
    assertEquals(
        List.of(new Extent(0x81828384L, 4), new Extent(0x61626364, 3), new Extent(0x71727374, 1)),
        record.swapped().extents());
  }

  /** Damage is refused with the one exception that callers know, or is a record. */
  @Test
  void nonsenseIsRefused() {
    Mutator mutator = new Mutator(37, 400, List.of(record().encode()));
    mutator.run(60_000, nonsense -> SnapshotRecord.decode(nonsense).extents());
    assertTrue(mutator.accepted() > 1000, "damage that still is a record: " + mutator.accepted());
    assertTrue(mutator.refused() > 1000, "damage that is none: " + mutator.refused());
  }
}
