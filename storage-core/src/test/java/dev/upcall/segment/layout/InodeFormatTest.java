package dev.upcall.segment.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.coding.Codecs;
import dev.upcall.coding.StoredUnit;
import dev.upcall.content.Kind;
import dev.upcall.content.Times;
import dev.upcall.house.Golden;
import dev.upcall.house.Mutator;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Inodes and extent entries as they are stored, and that nothing else is taken for one. */
class InodeFormatTest {
  private static final long ID = 17;

  private static Inode inode(
      Kind kind, long sizeBytes, SortedMap<String, byte[]> attributes, Layout layout) {
    return new Inode(
        ID,
        kind,
        2,
        0644,
        0x0000_03E8_0000_03E9L,
        kind == Kind.DIRECTORY ? 16 : 0,
        new Times(1_000_000_001L, 2_000_000_002L, 3_000_000_003L),
        sizeBytes,
        5,
        attributes,
        layout);
  }

  private static Inode small() {
    TreeMap<String, byte[]> attributes = new TreeMap<>();
    attributes.put("media-type", "text/plain".getBytes(StandardCharsets.US_ASCII));
    attributes.put("größe", new byte[] {1, 2, 3});
    byte[] content = "Hello, world".getBytes(StandardCharsets.US_ASCII);
    return inode(Kind.FILE, content.length, attributes, new Layout.Inline(content));
  }

  private static Inode placed() {
    Layout layout =
        new Layout.Extents(
            List.of(
                new ExtentEntry.Plain(0, new Extent(0x1234, 2), new int[] {0x11111111, 0x22222222}),
                new ExtentEntry.Plain(7, new Extent(0x99, 1), new int[] {0x33333333})));
    return inode(Kind.FILE, 32_000, Collections.emptySortedMap(), layout);
  }

  private static Inode large() {
    Layout layout = new Layout.Indexed(PageRef.of(0x2000, 0x8000, 0xCAFEBABE, 1, 0), 1_000_000);
    return inode(Kind.FILE, 4_096_000_000L, Collections.emptySortedMap(), layout);
  }

  private static Inode pieced(Layout.Space space) {
    PieceMap pieces =
        PieceMap.of(
            50_000,
            List.of(
                new PieceMap.Piece(5000, 0),
                new PieceMap.Piece(1, 40_960),
                new PieceMap.Piece(20_000, 9000)));
    return inode(Kind.FILE, 25_001, Collections.emptySortedMap(), new Layout.Pieced(pieces, space));
  }

  private static Inode edited() {
    return pieced(placed().layout().space());
  }

  private static Inode editedLarge() {
    return pieced(large().layout().space());
  }

  /** Most of its pieces are in a tree; what was cut out and came in since then is here. */
  private static Inode folded() {
    return folded(PageRef.of(0x3000, 0x9000, 0xBEEF, 2, 0));
  }

  private static Inode folded(PageRef root) {
    PieceMap pieces =
        PieceMap.of(
            new PieceMap.Folded(root, 40_000, 57_344, 900),
            70_000,
            List.of(
                new PieceMap.Piece(5000, 0),
                new PieceMap.Piece(300, 57_344),
                new PieceMap.Piece(20_000, 9000)));
    Layout.Space space = large().layout().space();
    Layout layout = new Layout.Pieced(pieces, space);
    return inode(Kind.FILE, 25_300, Collections.emptySortedMap(), layout);
  }

  private static Inode unmapped() {
    Layout layout = new Layout.Unmapped(PageRef.of(0x3000, 0x9000, 0xBEEF, 2, 0));
    return inode(Kind.FILE, 17_000, Collections.emptySortedMap(), layout);
  }

  private static Inode directory() {
    return inode(Kind.DIRECTORY, 0, Collections.emptySortedMap(), Layout.EMPTY);
  }

  private static Inode expiring() {
    Inode small = small();
    return new Inode(
        ID,
        small.kind(),
        1,
        small.mode(),
        small.owner(),
        0,
        new Times(1_000_000_001L, 2_000_000_002L, 3_000_000_003L, 4_000_000_004L),
        small.size(),
        small.version(),
        small.attributes(),
        small.layout());
  }

  @Test
  void formIsFixed() {
    Golden.check("inode-inline", InodeCodec.encode(small()));
    Golden.check("inode-extents", InodeCodec.encode(placed()));
    Golden.check("inode-indexed", InodeCodec.encode(large()));
    Golden.check("inode-pieces", InodeCodec.encode(edited()));
    Golden.check("inode-pieces-indexed", InodeCodec.encode(editedLarge()));
    Golden.check("inode-pieces-folded", InodeCodec.encode(folded()));
    Golden.check("inode-unmapped", InodeCodec.encode(unmapped()));
    Golden.check("inode-directory", InodeCodec.encode(directory()));
    Golden.check("inode-expiring", InodeCodec.encode(expiring()));
    Golden.check(
        "extent-entry",
        InodeCodec.encodeEntry(
            new ExtentEntry.Plain(40, new Extent(0x1234, 3), new int[] {0x10, 0x20, 0x30})));
    Golden.check("extent-entry-coded", InodeCodec.encodeEntry(coded()));
    Golden.check("inode-coded", InodeCodec.encode(compressed()));
  }

  /** The content blocks 40 to 44: the last five of a unit of nine that is stored in two. */
  private static ExtentEntry.Coded coded() {
    StoredUnit unit = new StoredUnit(0x1234, new int[] {0x10, 0x20}, 9, Codecs.ZSTD, 4099);
    return new ExtentEntry.Coded(40, unit, 4, 5);
  }

  private static Inode compressed() {
    return placed()
        .withContent(
            45 * 4096,
            new Layout.Extents(
                List.of(
                    new ExtentEntry.Plain(0, new Extent(0x99, 1), new int[] {0x33333333}),
                    coded())));
  }

  @Test
  void aUnitIsReadBack() {
    ExtentEntry read = InodeCodec.decodeEntry(40, InodeCodec.encodeEntry(coded()));
    ExtentEntry.Coded found = assertInstanceOf(ExtentEntry.Coded.class, read);
    assertEquals(45, found.logicalEnd());
    assertEquals(new Extent(0x1234, 2), found.extent());
    assertEquals(4099, found.unit().storedBytes());
    assertEquals(9, found.unit().blocks());
    assertEquals(coded().unit().mark(), found.unit().mark());
    assertEquals(coded().address(40), found.address(40));
  }

  @Test
  void unitsThatCannotBeAreRefused() {
    int wholeBlocks = 9;
    byte[] stored = InodeCodec.encodeEntry(coded());
    for (int bytes : new int[] {0, -1, 4096, 8193}) {
      byte[] other = stored.clone();
      ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).putInt(12, bytes);
      assertThrows(IllegalArgumentException.class, () -> InodeCodec.decodeEntry(40, other));
    }
    byte[] beyond = stored.clone();
    beyond[8] = (byte) (wholeBlocks - 1 << 4 | 4); // five blocks from the last one on
    assertThrows(IllegalArgumentException.class, () -> InodeCodec.decodeEntry(40, beyond));
    byte[] noCodec = stored.clone();
    noCodec[10] = 0;
    assertThrows(IllegalArgumentException.class, () -> InodeCodec.decodeEntry(40, noCodec));
    assertThrows(
        IllegalArgumentException.class, () -> InodeCodec.decodePlainEntry(40, stored.clone()));
  }

  @Test
  void whatWasStoredIsReadBack() {
    for (Inode inode :
        List.of(
            small(),
            placed(),
            large(),
            edited(),
            editedLarge(),
            folded(),
            unmapped(),
            directory(),
            expiring(),
            compressed())) {
      byte[] stored = InodeCodec.encode(inode);
      Inode read = InodeCodec.decode(ID, stored);
      assertEquals(inode.kind(), read.kind());
      assertEquals(inode.times(), read.times());
      assertEquals(inode.size(), read.size());
      assertEquals(inode.parent(), read.parent());
      assertEquals(inode.attributes().keySet(), read.attributes().keySet());
      assertTrue(LayoutEditor.isSame(inode.layout(), read.layout()));
      assertEquals(inode.layout().pieces(), read.layout().pieces());
      assertArrayEquals(stored, InodeCodec.encode(read));
    }
  }

  /** Damage is refused with the one exception that callers know, or gives what encodes the same. */
  @Test
  void nonsenseIsRefused() {
    List<byte[]> seeds =
        List.of(
            InodeCodec.encode(small()),
            InodeCodec.encode(placed()),
            InodeCodec.encode(large()),
            InodeCodec.encode(edited()),
            InodeCodec.encode(editedLarge()),
            InodeCodec.encode(folded()),
            InodeCodec.encode(unmapped()),
            InodeCodec.encode(directory()),
            InodeCodec.encode(expiring()),
            InodeCodec.encode(compressed()));
    Mutator mutator = new Mutator(21, InodeCodec.MAX_BYTES + 8, seeds);
    mutator.run(
        40_000,
        nonsense ->
            assertArrayEquals(nonsense, InodeCodec.encode(InodeCodec.decode(ID, nonsense))));
    assertTrue(mutator.accepted() > 1000, "damage that still is an inode: " + mutator.accepted());
    assertTrue(mutator.refused() > 1000, "damage that is none: " + mutator.refused());
  }

  /** The largest inode is as large as a tree takes. */
  @Test
  void anExpiryFitsBesideTheMostAttributesAndTheLargestLayout() {
    int head = 70 + Long.BYTES;
    int attributes = Inode.MAX_ATTRIBUTES_BYTES + 40 * 2 * Short.BYTES;
    assertTrue(head + attributes + InodeCodec.MAX_LAYOUT_BYTES <= InodeCodec.MAX_BYTES);
  }

  /** Its form was made for edited content, and a map must fit its size. */
  @Test
  void aMapStandsWhereTheFormSaysSo() {
    byte[] stored = InodeCodec.encode(edited());
    byte[] otherForm = stored.clone();
    otherForm[0] = 1;
    assertThrows(IllegalArgumentException.class, () -> InodeCodec.decode(ID, otherForm));
    byte[] otherSize = stored.clone();
    otherSize[52]++;
    assertThrows(IllegalArgumentException.class, () -> InodeCodec.decode(ID, otherSize));
    byte[] inline = stored.clone();
    inline[2] = 1;
    assertThrows(IllegalArgumentException.class, () -> InodeCodec.decode(ID, inline));
  }

  /** Of pages only leaves of entries of tables may have one copy. */
  @Test
  void aRootWithOneCopyIsRefused() {
    for (long second : new long[] {0, -1}) {
      PageRef root = PageRef.of(0x3000, second, 0xBEEF, 0, 0);
      SortedMap<String, byte[]> none = Collections.emptySortedMap();
      for (Inode inode :
          List.of(
              inode(Kind.FILE, 5000, none, new Layout.Indexed(root, 2)),
              inode(Kind.FILE, 5000, none, new Layout.Unmapped(root)),
              folded(root))) {
        byte[] stored = InodeCodec.encode(inode);
        assertEquals(
            "tree whose root has one copy",
            assertThrows(IllegalArgumentException.class, () -> InodeCodec.decode(ID, stored))
                .getMessage());
      }
    }
  }

  /** The largest numbers, as many as a map may have bytes for. */
  @Test
  void theLargestMapFitsBesideATree() {
    int tree = PageRef.ENCODED_BYTES + 8;
    assertTrue(PieceMap.MAX_BYTES + PieceMap.FOLDED_BYTES + tree <= InodeCodec.MAX_LAYOUT_BYTES);
    long far = 1L << 61;
    PieceMap pieces = PieceMap.whole(far).with(new PieceMap.Stretch(5000, 4096), null);
    ByteBuffer out = ByteBuffer.allocate(pieces.encodedBytes());
    PieceMapCodec.encode(pieces, out);
    assertEquals(0, out.remaining());
    assertEquals(pieces, PieceMapCodec.decode(out.flip(), /* isFolded= */ false));
  }

  @Test
  void nonsenseIsNoExtentEntry() {
    ExtentEntry entry = new ExtentEntry.Plain(40, new Extent(9, 3), new int[] {0x10, 0x20, 0x30});
    Mutator mutator =
        new Mutator(
            22, 600, List.of(InodeCodec.encodeEntry(entry), InodeCodec.encodeEntry(coded())));
    mutator.run(
        20_000,
        nonsense ->
            assertArrayEquals(
                nonsense, InodeCodec.encodeEntry(InodeCodec.decodeEntry(40, nonsense))));
    assertTrue(mutator.accepted() > 100, "damage that still is an entry: " + mutator.accepted());
    assertTrue(mutator.refused() > 100, "damage that is none: " + mutator.refused());
  }

  @Test
  void lengthsThatWouldBeNegativeAreRefused() {
    byte[] stored = InodeCodec.encode(directory());
    int attributes = 4 + 4 + 4 + 8 + 8 + 3 * 8 + 8 + 8;
    for (int at : new int[] {attributes, attributes + 2}) {
      byte[] damaged = Arrays.copyOf(stored, stored.length + 64);
      damaged[at] = (byte) 0xFF;
      damaged[at + 1] = (byte) 0xFF;
      assertThrows(IllegalArgumentException.class, () -> InodeCodec.decode(ID, damaged));
    }
  }
}
