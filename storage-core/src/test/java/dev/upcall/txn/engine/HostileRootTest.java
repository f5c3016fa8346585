package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Checksums;
import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.TreeCheck;
import dev.upcall.tree.TreeConfig;
import dev.upcall.txn.Change;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.SuperblockCodec;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Superblocks with a right checksum that name another block of the volume as the root of a tree:
 * refused as corrupt, with the root named, and the volume left as it was. Else the block would be
 * freed while it is in use. And pages with a right checksum that give one copy to leaves that have
 * two.
 */
class HostileRootTest {
  private static final VolumeLayout LAYOUT = StoreFixture.tinyLayout();
  private static final int FAN_OUT = 4;
  private static final int FILES = 30;

  /** A page of the volume's, and of which tree. */
  private record Named(int tree, PageRef page) {}

  private final TreeMap<Long, byte[]> contents = new TreeMap<>();
  private final DiskImage image = image();
  private final Superblock superblock =
      assertInstanceOf(
              SuperblockCodec.Found.Valid.class,
              SuperblockCodec.decode(ByteBuffer.wrap(image.read(0)), 0))
          .superblock();
  private final List<Named> roots = new ArrayList<>();
  private final List<Named> pages = new ArrayList<>();

  HostileRootTest() {
    for (StoreRoot root : superblock.roots()) {
      PageRef page = Roots.decode(root);
      if (page != null) {
        roots.add(new Named(root.treeId(), page));
        walk(root.treeId(), page);
      }
    }
    for (StoreTree tree : List.of(StoreTree.INODES, StoreTree.NAMES, StoreTree.SHARED)) {
      assertEquals(2, root(tree).level(), tree + " is too small");
    }
  }

  /** A volume whose trees have leaves, pages above them, and a root; with a snapshot of before. */
  private DiskImage image() {
    SimWorld world = SimWorld.ofBlocks(7, 1200).closesUnchecked("its image is what is wanted");
    StoreFixture.format(world);
    StoreFixture files = Invariants.present(StoreFixture.tryOpen(world), "a store");
    for (long id = 20; id < 20 + FILES; id++) {
      put(files, id, (int) id * 300);
    }
    put(files, 60, 170 * Disk.BLOCK_BYTES);
    world.<NamedSnapshot>get(port -> files.store().namedSnapshots().create("before", port));
    for (long id = 20; id < 20 + FILES; id++) {
      long of = id;
      byte[] key = ByteBuffer.allocate(10).putLong(1).putShort((short) of).array();
      byte[] value = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN).putLong(of).array();
      change(
          files,
          (view, out) -> {
            out.putClone(StoreFixture.file(of + 50), of);
            out.put(StoreTree.NAMES, key, value);
            return Completion.done();
          });
      contents.put(of + 50, contents.get(of));
    }
    put(files, 25, 20_000);
    world.<Unit>get(files.store()::checkpoint);
    put(files, 26, 20_000);
    change(
        files,
        (view, out) -> {
          out.put(StoreTree.NAMES, new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 0, 26}, new byte[9]);
          return Completion.done();
        });
    return world.disk().contents().fork();
  }

  private void put(StoreFixture files, long id, int size) {
    byte[] bytes = StoreFixture.bytes(id + size, size);
    files.put(id, bytes);
    contents.put(id, bytes);
  }

  private static void change(StoreFixture files, Change<Unit> change) {
    files.world().<Unit>get(port -> files.store().change(change, Durability.SYNC, port));
  }

  private void walk(int tree, PageRef root) {
    TreeCheck check =
        new TreeCheck(
            TreeConfig.ofFanOut(superblock.volumeId(), FAN_OUT),
            tree,
            root,
            new TreeCheck.Visitor() {
              @Override
              public boolean claim(long block) {
                return true;
              }

              @Override
              public boolean wants(PageRef page, byte @Nullable [] high) {
                pages.add(new Named(tree, page));
                return true;
              }
            });
    for (long block = check.nextBlock(); block >= 0; block = check.nextBlock()) {
      check.accept(ByteBuffer.wrap(image.read(block)));
    }
    assertEquals(List.of(), check.problems());
  }

  private PageRef root(StoreTree tree) {
    return roots.stream().filter(root -> root.tree() == tree.number()).findFirst().get().page();
  }

  /** Another page of the same tree, of another tree, another root: with one or both copies. */
  @Test
  void anotherPageInThePlaceOfTheCopies() {
    for (Named root : roots) {
      PageRef mine = root.page();
      for (Named other : pages) {
        PageRef page = other.page();
        if (!page.samePageAs(mine)) {
          refuses(root, at(mine, page.addressA(), mine.blocks()[1]));
          refuses(root, at(mine, page.blocks()[1], mine.blocks()[1]));
          refuses(root, at(mine, mine.addressA(), page.addressA()));
          refuses(root, at(mine, mine.addressA(), page.blocks()[1]));
          refuses(root, at(mine, page.addressA(), page.blocks()[1]));
        }
      }
    }
  }

  @Test
  void theWholePointerToAPageOfAnotherTree() {
    for (Named root : roots) {
      for (Named other : pages) {
        if (other.tree() != root.tree()) {
          refuses(root, other.page());
        }
      }
    }
  }

  /** Whatever lies there: content, bits of a snapshot, what is free, what only the log knows. */
  @Test
  void eachBlockInThePlaceOfACopy() {
    int refused = 0;
    for (long block = LAYOUT.dataStart(); block < image.sizeBlocks() + 2; block++) {
      Named root = roots.get((int) (block % roots.size()));
      PageRef mine = root.page();
      if (block != mine.addressA() && block != mine.blocks()[1]) {
        refuses(
            root,
            block % 2 == 0 ? at(mine, block, mine.blocks()[1]) : at(mine, mine.addressA(), block));
        refused++;
      }
    }
    assertTrue(refused > 300, refused + " blocks");
  }

  /**
   * The superblock says which checksum, level and birth the root has, so that the address of
   * another page of the tree is not enough. Only who writes all that, and the superblock's checksum
   * over it, gets a page from the midst of a tree taken for its root; an inner one only if it is
   * the first of its level. What such a store shows of files is still right, but not all of them,
   * and a verification says so.
   */
  @Test
  void onlyAPointerThatIsForgedWholePasses() {
    int passed = 0;
    for (StoreTree tree : List.of(StoreTree.INODES, StoreTree.NAMES, StoreTree.SHARED)) {
      Named root = new Named(tree.number(), root(tree));
      for (Named other : pages) {
        if (other.tree() != tree.number() || other.page().samePageAs(root.page())) {
          continue;
        }
        for (int fields = 1; fields < 1 << 5; fields++) {
          PageRef forged = mixed(root.page(), other.page(), fields);
          boolean forgedWhole = isAs(forged, other.page()) && (fields & 3) != 0;
          if (forgedWhole && showsLess(root, forged)) {
            passed++;
          } else if (!forgedWhole && !forged.samePageAs(root.page())) {
            refuses(root, forged);
          }
        }
      }
    }
    assertTrue(passed > 0, "no pointer passes: say so in docs/trust.md");
  }

  /** As a fuzzer does that knows the form: each field is that of any page. */
  @Test
  void pointersMixedAtRandom() {
    SplittableRandom random = new SplittableRandom(14);
    for (int i = 0; i < 1500; i++) {
      Named root = roots.get(random.nextInt(roots.size()));
      PageRef forged = root.page();
      for (int fields = 1; fields < 1 << 5; fields <<= 1) {
        if (random.nextBoolean()) {
          forged = mixed(forged, pages.get(random.nextInt(pages.size())).page(), fields);
        }
      }
      if (!forged.samePageAs(root.page()) && !isForgedWhole(root, forged)) {
        refuses(root, forged);
      }
    }
  }

  private boolean isForgedWhole(Named root, PageRef forged) {
    return pages.stream()
        .filter(other -> other.tree() == root.tree() && !other.page().samePageAs(root.page()))
        .anyMatch(other -> isAs(forged, other.page()));
  }

  private static boolean isAs(PageRef forged, PageRef page) {
    return forged.crc() == page.crc()
        && forged.level() == page.level()
        && forged.birth() == page.birth();
  }

  private static PageRef at(PageRef page, long addressA, long addressB) {
    return PageRef.of(addressA, addressB, page.crc(), page.level(), page.birth());
  }

  /** A pointer that has some fields of another: its addresses first, in the lowest two bits. */
  private static PageRef mixed(PageRef page, PageRef other, int fields) {
    return PageRef.of(
        ((fields & 1) != 0 ? other : page).addressA(),
        ((fields & 2) != 0 ? other : page).blocks()[1],
        ((fields & 4) != 0 ? other : page).crc(),
        ((fields & 8) != 0 ? other : page).level(),
        ((fields & 16) != 0 ? other : page).birth());
  }

  /** The log changes what is in the leaf, so that an opening needs it. */
  @Test
  void aDamagedLeafThatIsSaidToHaveOneCopy() {
    for (StoreTree tree : List.of(StoreTree.INODES, StoreTree.NAMES)) {
      int corrupt = 0;
      for (Named leaf : pages) {
        PageRef page = leaf.page();
        if (leaf.tree() != tree.number() || page.level() > 0) {
          continue;
        }
        for (long second : new long[] {0, -1}) {
          DiskImage forged =
              withPointer(
                  new Named(leaf.tree(), root(tree)), page, at(page, page.addressA(), second));
          forged.put(page.addressA(), null);
          if (open(world(forged)) instanceof Completion.Failed<Store>(Failure why)) {
            assertInstanceOf(Failure.Corrupt.class, why);
            corrupt++;
          }
        }
      }
      assertTrue(corrupt >= 2, "no opening needs a leaf of " + tree);
    }
  }

  /** The volume with another pointer to a page, with right checksums up to the superblock. */
  private DiskImage withPointer(Named root, PageRef page, PageRef pointer) {
    DiskImage forged = image.fork();
    PageRef from = page;
    PageRef to = pointer;
    while (!from.samePageAs(root.page())) {
      for (Named above : pages) {
        byte[] bytes = image.read(above.page().addressA());
        int at = indexOf(bytes, encoded(from));
        if (at >= 0 && above.page().level() == from.level() + 1) {
          System.arraycopy(encoded(to), 0, bytes, at, PageRef.ENCODED_BYTES);
          int crc = Checksums.crc32c(bytes, 8, bytes.length - 8);
          ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(4, crc);
          from = above.page();
          for (long block : from.blocks()) {
            forged.put(block, bytes);
          }
          to = PageRef.of(from.addressA(), from.blocks()[1], crc, from.level(), from.birth());
          break;
        }
      }
    }
    return with(forged, root, to);
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    return -1;
  }

  private static byte[] encoded(PageRef page) {
    ByteBuffer bytes = ByteBuffer.allocate(PageRef.ENCODED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    PageRef.encode(page, bytes);
    return bytes.array();
  }

  private DiskImage with(Named root, PageRef pointer) {
    return with(image, root, pointer);
  }

  /** A volume with another pointer to a root in all superblock copies. */
  private DiskImage with(DiskImage from, Named root, PageRef pointer) {
    DiskImage forged = from.fork();
    List<StoreRoot> all = new ArrayList<>(superblock.roots());
    byte[] bytes = encoded(pointer);
    all.replaceAll(one -> one.treeId() == root.tree() ? new StoreRoot(one.treeId(), bytes) : one);
    Superblock lying =
        new Superblock(
            superblock.volumeId(),
            superblock.sequence(),
            superblock.scn(),
            superblock.log(),
            all,
            superblock.mapSequence(),
            superblock.mapDigest(),
            superblock.layout(),
            superblock.volumeBlocks(),
            superblock.capBlocks(),
            superblock.nextInodeId(),
            superblock.features());
    for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      byte[] block = new byte[Disk.BLOCK_BYTES];
      SuperblockCodec.encode(lying, copy).get(block);
      forged.put(LAYOUT.superblock(copy), block);
    }
    return forged;
  }

  private static SimWorld world(DiskImage image) {
    return SimWorld.ofBlocks(8, 400).closesUnchecked("damaged on purpose").reopen(image);
  }

  private static @Nullable Completion<Store> open(SimWorld world) {
    return world.await(
        port -> Stores.open(world.dispatcher(), world.disk(), StoreFixture.tinyOptions(8), port));
  }

  private void refuses(Named root, PageRef pointer) {
    DiskImage forged = with(root, pointer);
    long before = forged.digest();
    SimWorld world = world(forged);
    if (!(open(world) instanceof Completion.Failed<Store>(Failure why))) {
      throw new AssertionError("opened with " + pointer + " as the root of tree " + root.tree());
    }
    world.runUntilIdle();
    assertEquals(before, world.disk().contents().digest(), "changed what it refused");
    String message = assertInstanceOf(Failure.Corrupt.class, why).message();
    assertTrue(message.contains("the root of tree "), message);
    assertTrue(
        message.contains("every superblock copy (0 in block 0, 1 in block 1, 2 in block ")
            || message.contains(
                "tree %d (%s), which the superblock puts into blocks %d and %d"
                    .formatted(
                        root.tree(),
                        StoreTree.of(root.tree()).name().toLowerCase(Locale.ROOT),
                        pointer.addressA(),
                        pointer.blocks()[1])),
        message);
  }

  /** Whether it opens; then with right files only, and a verification that finds what is wrong. */
  private boolean showsLess(Named root, PageRef pointer) {
    SimWorld world = world(with(root, pointer));
    if (!(open(world) instanceof Completion.Done<Store>(Store store))) {
      refuses(root, pointer);
      return false;
    }
    StoreFixture files = StoreFixture.of(world, store);
    contents.forEach(
        (id, content) -> {
          byte[] read = files.read(id);
          if (read != null) {
            assertArrayEquals(content, read, "file " + id);
          }
        });
    VerifyReport report =
        world.get(port -> store.verify(new VerifyOptions(true), (at, of) -> true, port));
    assertFalse(report.isSound(), () -> pointer + " as the root of tree " + root.tree());
    return true;
  }
}
