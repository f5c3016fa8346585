package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.StoreFixture;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.volume.StoreRoot;
import dev.upcall.txn.volume.SuperblockCodec;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A volume that cannot be opened is left as it was, also where one superblock could be healed. */
public class RefusedVolumeTest {
  private static final VolumeLayout LAYOUT = StoreFixture.tinyLayout();

  private final DiskImage image = image(10);

  /** A volume that has so many files in its log behind the last checkpoint. */
  static DiskImage image(int laterFiles) {
    SimWorld world = SimWorld.ofBlocks(7, 400).closesUnchecked("its image is what is wanted");
    StoreFixture.format(world);
    StoreFixture files = StoreFixture.tryOpen(world);
    assertNotNull(files);
    for (int id = 20; id < 50; id++) {
      files.put(id, new byte[id * 300]);
    }
    world.<Unit>get(files.store()::checkpoint);
    for (int id = 60; id < 60 + laterFiles; id++) {
      files.put(id, new byte[10_000]);
    }
    return world.disk().contents().fork();
  }

  /** The image of a volume both copies of whose root of a tree are gone; null if it is empty. */
  public static @Nullable DiskImage withoutRoot(DiskImage from, StoreTree tree) {
    SuperblockCodec.Found found = SuperblockCodec.decode(ByteBuffer.wrap(from.read(0)), 0);
    DiskImage damaged = from.fork();
    for (StoreRoot root : ((SuperblockCodec.Found.Valid) found).superblock().roots()) {
      PageRef page = root.treeId() == tree.number() ? Roots.decode(root) : null;
      if (page != null) {
        damaged.put(page.addressA(), null);
        damaged.put(page.blocks()[1], null);
        return damaged;
      }
    }
    return null;
  }

  @Test
  void withoutTheRootOfATree() {
    List<StoreTree> refused = new ArrayList<>();
    for (StoreTree tree : StoreTree.values()) {
      DiskImage damaged = withoutRoot(image, tree);
      if (damaged != null) {
        refuses(damaged, "without the root of " + tree);
        refused.add(tree);
      }
    }
    assertTrue(refused.contains(StoreTree.INODES), refused::toString);
  }

  @Test
  void withoutAChunkOfTheMap() {
    DiskImage damaged = image.fork();
    for (int copy = 0; copy < LAYOUT.mapCopies(); copy++) {
      damaged.put(LAYOUT.mapStart(copy), null);
      damaged.put(LAYOUT.mapStart(copy) + 1, null);
    }
    refuses(damaged, "without its map");
  }

  @Test
  void withoutItsEnd() {
    DiskImage damaged = image.fork();
    damaged.resize(image.sizeBlocks() - 1);
    refuses(damaged, "cut short");
  }

  @Test
  void withADamagedLog() {
    DiskImage damaged = image.fork();
    long block = LAYOUT.logStart();
    while (damaged.get(block) == null || !refused(damaged, block)) {
      block++;
    }
  }

  /** What whoever opens it misses is known before the stale superblock is healed. */
  @Test
  void inWhichTheFirstLookFails() {
    Failure missing = new Failure.Corrupt("sim", "what everybody needs", 0, 1, 2);
    StoreOptions options =
        StoreFixture.tinyOptions(8)
            .withFirstLook(
                view -> view.inode(25) == null ? Completion.done() : Completion.failed(missing));
    refuses(image, "not what was looked for", options);
  }

  /** Whether damage of a block of the log makes the volume refused: not of the last batch. */
  private boolean refused(DiskImage from, long block) {
    if (block >= LAYOUT.mapStart() - 2) {
      throw new AssertionError("no block of the log is needed");
    }
    DiskImage damaged = from.fork();
    damaged.put(block, null);
    return opened(damaged) instanceof Completion.Failed<Store>
        && refuses(damaged, "log block " + block);
  }

  private static @Nullable Completion<Store> opened(DiskImage damaged) {
    SimWorld world = world(damaged.fork());
    return world.await(
        port -> Stores.open(world.dispatcher(), world.disk(), StoreFixture.tinyOptions(8), port));
  }

  private static SimWorld world(DiskImage damaged) {
    return SimWorld.ofBlocks(8, 400).closesUnchecked("damaged on purpose").reopen(damaged);
  }

  /** With all superblocks whole, and with one of them that another opening would heal. */
  private static boolean refuses(DiskImage damaged, String what) {
    return refuses(damaged, what, StoreFixture.tinyOptions(8));
  }

  private static boolean refuses(DiskImage damaged, String what, StoreOptions options) {
    for (int copy = -1; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      DiskImage tried = damaged.fork();
      if (copy >= 0) {
        tried.flipBit(LAYOUT.superblock(copy), 8 * 100);
      }
      long before = tried.digest();
      SimWorld world = world(tried);
      Completion<Store> completion =
          world.await(port -> Stores.open(world.dispatcher(), world.disk(), options, port));
      if (!(completion instanceof Completion.Failed<Store>(Failure why))) {
        throw new AssertionError(what + " was opened");
      }
      assertTrue(why instanceof Failure.Corrupt || why instanceof Failure.Invalid, why::message);
      world.<Unit>await(world.disk()::close);
      assertEquals(before, world.disk().contents().digest(), what + ", superblock " + copy);
      showsTheNewestOrSaysSo(tried, what + ", superblock " + copy);
    }
    return true;
  }

  /** Read-only: all files are there, or it is said that what is shown is older. */
  private static void showsTheNewestOrSaysSo(DiskImage tried, String what) {
    SimWorld world = world(tried.fork());
    Completion<Store> completion =
        world.await(
            port ->
                Stores.open(
                    world.dispatcher(),
                    world.disk(),
                    StoreFixture.tinyOptions(8).asReadOnly(),
                    port));
    if (!(completion instanceof Completion.Done<Store>(Store store))) {
      return;
    }
    OpeningReport opening = store.info().opening();
    Completion<Boolean> newest =
        world.await(port -> store.query(view -> Completion.done(view.inode(69) != null), port));
    switch (newest) {
      case Completion.Done<Boolean>(Boolean isThere) ->
          assertTrue(isThere || opening.age() != OpeningReport.Age.NEWEST, what + ": " + opening);
      case Completion.Failed<Boolean>(Failure why) ->
          assertTrue(why instanceof Failure.Corrupt, why::message);
      case null -> throw new AssertionError(what + ": no answer");
    }
    world.<Unit>await(store::close);
    assertEquals(tried.digest(), world.disk().contents().digest(), what);
  }
}
