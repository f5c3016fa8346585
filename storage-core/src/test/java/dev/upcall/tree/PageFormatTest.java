package dev.upcall.tree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.house.Golden;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pages and pointers on disk: what they look like, and that nothing else is taken for one. */
class PageFormatTest {
  private final TreeConfig config = TreeConfig.ofFanOut(0x1122334455667788L, 4);
  private final PageCache cache = new PageCache(1 << 20, page -> {});
  private final List<byte[]> images = new ArrayList<>();
  private PageRef root;

  private void writeSmallTree() {
    writeSmallTree(/* leavesOnce= */ false);
  }

  private void writeSmallTree(boolean leavesOnce) {
    Tree tree = new Tree(config, 2, null, cache);
    for (String name : List.of("index.html", "a", "logo.png", "b", "c")) {
      tree.put(name.getBytes(StandardCharsets.US_ASCII), new byte[] {1, (byte) name.length()});
    }
    tree.put("a".getBytes(StandardCharsets.US_ASCII), new byte[] {7});
    Frozen frozen = tree.freeze(0xABCDEF, leavesOnce);
    long block = 100;
    for (DirtyPage page = frozen.nextToPersist(); page != null; page = frozen.nextToPersist()) {
      ByteBuffer image = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);
      page.assign(block, page.hasOneCopy() ? 0 : block + 1000, image);
      page.written();
      assertFalse(image.hasRemaining());
      byte[] bytes = new byte[4096];
      image.get(0, bytes);
      images.add(bytes);
      block++;
    }
    root = frozen.root();
  }

  @Test
  void formIsFixed() {
    writeSmallTree();
    assertEquals(3, images.size());
    Golden.check("tree-leaf", images.getFirst());
    Golden.check("tree-inner", images.getLast());
    ByteBuffer pointer = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(root, pointer);
    PageRef.encode(null, pointer);
    Golden.check("tree-pointer", pointer.array());
    pointer.flip();
    assertTrue(root.samePageAs(PageRef.decode(pointer)));
    assertNull(PageRef.decode(pointer));
  }

  /** With one copy of each leaf, of which the first was lost. */
  @Test
  void formOfPointersToLeavesWithOneCopyIsFixed() {
    writeSmallTree(/* leavesOnce= */ true);
    byte[] found = images.getLast();
    Golden.check("tree-inner-single", found);
    PageRef top = cold();
    assertInstanceOf(PageLoad.Attached.class, top.load(ByteBuffer.wrap(found)));
    PageRef leaf = top.resident().child(0);
    assertArrayEquals(new long[] {100}, leaf.blocks());
    assertInstanceOf(PageLoad.Attached.class, leaf.load(ByteBuffer.wrap(images.getFirst())));
    ByteBuffer pointer = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(leaf.lost(), pointer);
    Golden.check("tree-pointer-lost", pointer.array());
    assertMismatch("found damaged before", leaf.lost(), images.getFirst());
    for (long second : new long[] {0, -1, -2}) {
      byte[] image = found.clone();
      ByteBuffer block = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
      int first = Short.toUnsignedInt(block.getShort(Page.HEADER_BYTES));
      block.putLong(first + 4 + 8, second); // of the first child, whose key is empty
      int crc = PageCodec.crc(image);
      block.putInt(4, crc);
      PageLoad load = open(config, 2, PageRef.of(1, 2, crc, 1, root.birth())).load(block);
      assertEquals(second != -2, load instanceof PageLoad.Attached, load.toString());
    }
  }

  @Test
  void everyFlippedBitIsNoticed() {
    writeSmallTree();
    byte[] image = images.getLast();
    for (int bit = 0; bit < image.length * 8; bit++) {
      image[bit / 8] ^= (byte) (1 << bit % 8);
      assertInstanceOf(PageLoad.Mismatch.class, cold().load(ByteBuffer.wrap(image)), "bit " + bit);
      image[bit / 8] ^= (byte) (1 << bit % 8);
    }
    PageRef ref = cold();
    assertInstanceOf(PageLoad.Attached.class, ref.load(ByteBuffer.wrap(image)));
    assertTrue(ref.isResident());
  }

  @Test
  void anotherPageIsNotThePage() {
    writeSmallTree();
    byte[] image = images.getLast();
    assertMismatch(
        "stored checksum", open(config, 2, PageRef.of(1, 2, 5, root.level(), root.birth())), image);
    assertMismatch("tree", open(config, 3, root), image);
    assertMismatch("volume", open(TreeConfig.ofFanOut(4, 4), 2, root), image);
    assertMismatch("birth", open(config, 2, PageRef.of(1, 2, root.crc(), root.level(), 9)), image);
    assertMismatch("level", open(config, 2, PageRef.of(1, 2, root.crc(), 5, root.birth())), image);
    assertMismatch("magic", open(config, 2, root), new byte[4096]);
  }

  @Test
  void aChecksumIsReportedWithoutItsSign() {
    writeSmallTree();
    PageRef wrong = PageRef.of(1, 2, -5, root.level(), root.birth());
    PageLoad load = open(config, 2, wrong).load(ByteBuffer.wrap(images.getLast()));
    assertEquals(0xFFFF_FFFBL, assertInstanceOf(PageLoad.Mismatch.class, load).expected());
  }

  private static void assertMismatch(String what, PageRef ref, byte[] image) {
    assertEquals(
        what, assertInstanceOf(PageLoad.Mismatch.class, ref.load(ByteBuffer.wrap(image))).what());
  }

  private PageRef cold() {
    return open(config, 2, root);
  }

  private PageRef open(TreeConfig geometry, int treeId, PageRef at) {
    PageRef copy = PageRef.of(at.addressA(), at.blocks()[1], at.crc(), at.level(), at.birth());
    return new Tree(geometry, treeId, copy, cache).root();
  }

  /** Pages whose checksum is right and whose content is nonsense: refused, never an exception. */
  @Test
  void nonsenseWithAGoodChecksumIsRefused() {
    writeSmallTree();
    Random random = new Random(8);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] image = images.get(random.nextInt(images.size())).clone();
      boolean inner = image[28] != 0;
      for (int n = random.nextInt(3) + 1; n > 0; n--) {
        int at = random.nextInt(3) == 0 ? 28 + random.nextInt(30) : 3900 + random.nextInt(196);
        image[at] = (byte) random.nextInt(256);
      }
      ByteBuffer block = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
      int crc = PageCodec.crc(image);
      block.putInt(4, crc);
      PageRef ref = open(config, 2, PageRef.of(1, 2, crc, inner ? 1 : 0, root.birth()));
      if (ref.load(block) instanceof PageLoad.Mismatch) {
        refused++;
        assertFalse(ref.isResident());
      } else {
        Page page = ref.resident();
        for (int e = 0; e < page.count(); e++) {
          assertArrayEquals(page.key(e), page.key(page.find(page.key(e))));
        }
      }
    }
    assertTrue(refused > 1000);
  }

  @Test
  void checkNamesWhatIsDamaged() {
    writeSmallTree();
    byte[] broken = images.get(0).clone();
    broken[4095] ^= 1;
    TreeCheck oneCopy = check(block -> block == 100 ? broken : images.get((int) (block % 100)));
    assertEquals(1, oneCopy.problemCount());
    assertEquals(100, oneCopy.problems().getFirst().block());
    assertEquals(5, oneCopy.entries());
    assertEquals(3, oneCopy.pages());

    TreeCheck bothCopies =
        check(block -> block % 1000 == 100 ? broken : images.get((int) (block % 100)));
    assertEquals(3, bothCopies.problemCount());
    assertEquals(2, bothCopies.pages());

    TreeCheck unreadable = check(block -> block == 1101 ? null : images.get((int) (block % 100)));
    assertEquals(1, unreadable.problemCount());
    assertEquals(1101, unreadable.problems().getFirst().block());
  }

  @Test
  void checkNamesARootWithOneCopy() {
    writeSmallTree();
    for (long second : new long[] {0, -1}) {
      root = PageRef.of(root.addressA(), second, root.crc(), root.level(), root.birth());
      TreeCheck check = check(block -> images.get((int) (block % 100)));
      assertEquals(root.addressA(), check.problems().getFirst().block());
      assertEquals("tree 2: a root has one copy", check.problems().getFirst().what());
    }
  }

  private TreeCheck check(java.util.function.LongFunction<byte[]> reader) {
    java.util.Set<Long> claimed = new java.util.HashSet<>();
    TreeCheck check = new TreeCheck(config, 2, root, claimed::add);
    for (long block = check.nextBlock(); block != TreeCheck.END; block = check.nextBlock()) {
      byte[] content = reader.apply(block);
      if (content == null) {
        check.acceptUnreadable("the disk says no");
      } else {
        check.accept(ByteBuffer.wrap(content));
      }
    }
    return check;
  }
}
