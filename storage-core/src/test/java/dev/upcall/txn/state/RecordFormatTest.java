package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.txn.ExpiryKeys;
import dev.upcall.txn.StoreTree;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Log records as they are stored, and that nothing else is taken for one. */
class RecordFormatTest {
  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static Op.OverlayWrite write(boolean fresh, String... pieces) {
    List<ByteBuffer> bytes =
        java.util.Arrays.stream(pieces).map(piece -> ByteBuffer.wrap(ascii(piece))).toList();
    return new Op.OverlayWrite(17, 0x100, bytes, fresh, List.of());
  }

  private static List<Op> allKinds() {
    return List.of(
        new Op.Put(StoreTree.INODES, TreeKeys.of(17), new byte[] {1, 2, 3}),
        new Op.Put(StoreTree.PROPERTIES, ascii("name"), new byte[0]),
        new Op.Remove(StoreTree.NAMES, ascii("12345678index.html")),
        write(true, "Hello, ", "world"),
        write(false, "patch"),
        new Op.OverlayDrop(17, 3, Long.MAX_VALUE),
        new Op.Allocate(new Extent(0x1234, 5)),
        new Op.Free(new Extent(0x4321, 6)),
        new Op.OverlayCopy(17, 18),
        new Op.Put(StoreTree.SHARED, TreeKeys.of(0x1238), new byte[] {5}));
  }

  private static byte[] encode(List<Op> ops) {
    ByteBuffer out =
        ByteBuffer.allocate((int) RecordCodec.sizeBytes(ops)).order(ByteOrder.LITTLE_ENDIAN);
    RecordCodec.encode(ops, out);
    assertEquals(0, out.remaining());
    return out.array();
  }

  @Test
  void formIsFixed() {
    Golden.check("log-record", encode(allKinds()));
  }

  @Test
  void whatWasStoredIsReadBack() {
    byte[] stored = encode(allKinds());
    List<Op> read = RecordCodec.decode(ByteBuffer.wrap(stored));
    assertEquals(allKinds().size(), read.size());
    for (int i = 0; i < read.size(); i++) {
      assertEquals(allKinds().get(i).getClass(), read.get(i).getClass());
    }
    assertArrayEquals(stored, encode(read));
  }

  /** Damage is refused with the one exception that callers know, or gives what encodes the same. */
  @Test
  void nonsenseIsRefused() {
    List<byte[]> seeds = new java.util.ArrayList<>();
    seeds.add(encode(allKinds()));
    seeds.add(encode(List.of(new Op.Put(StoreTree.EXPIRY, ExpiryKeys.of(5, 6), new byte[9]))));
    allKinds().forEach(op -> seeds.add(encode(List.of(op))));
    Mutator mutator = new Mutator(31, 1500, seeds);
    mutator.run(
        60_000,
        nonsense ->
            assertArrayEquals(nonsense, encode(RecordCodec.decode(ByteBuffer.wrap(nonsense)))));
    assertTrue(mutator.accepted() > 1000, "damage that still is a record: " + mutator.accepted());
    assertTrue(mutator.refused() > 1000, "damage that is none: " + mutator.refused());
  }

  @Test
  void stepsThatCannotBeAppliedAreRefused() {
    refused(encode(List.of(new Op.Put(StoreTree.UNPLACED, new byte[16], new byte[1]))));
    byte[] noTree = encode(List.of(new Op.Put(StoreTree.ORPHANS, new byte[8], new byte[1])));
    noTree[1] = 99;
    refused(noTree);
    refused(encode(List.of(new Op.Put(StoreTree.INODES, new byte[7], new byte[1]))));
    refused(encode(List.of(new Op.Remove(StoreTree.NAMES, new byte[8]))));
    refused(encode(List.of(new Op.Put(StoreTree.PROPERTIES, new byte[301], new byte[1]))));
    refused(encode(List.of(new Op.Put(StoreTree.PROPERTIES, new byte[9], new byte[1201]))));
    refused(encode(List.of(new Op.Put(StoreTree.EXPIRY, new byte[8], new byte[9]))));
    refused(encode(List.of(new Op.OverlayDrop(1, 5, 4))));
    refused(encode(List.of(new Op.OverlayCopy(3, 3))));
    refused(encode(List.of(new Op.Remove(StoreTree.SHARED, new byte[9]))));
    byte[] longWrite = encode(List.of(write(true, "bytes")));
    longWrite[21] = (byte) 0x80;
    refused(longWrite);
  }

  private static void refused(byte[] record) {
    assertThrows(IllegalArgumentException.class, () -> RecordCodec.decode(ByteBuffer.wrap(record)));
  }
}
