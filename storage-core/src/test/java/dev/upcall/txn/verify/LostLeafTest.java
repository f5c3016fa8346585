package dev.upcall.txn.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.SimDecay;
import dev.upcall.store.Durability;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.engine.OldVolumeTest;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.StoreFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Leaves of entries have one copy. One that is damaged costs what is in it: that is said, and all
 * else goes on.
 */
class LostLeafTest {
  private static final long TABLE = 16;
  private static final int COUNT = 60;
  private static final int PER_CHANGE = 10;

  /** What the log behind the checkpoint changes, takes away and adds. */
  private static final int CHANGED = 10;

  private static final int REMOVED = 30;

  private DiskImage image;

  /** A checkpoint with a table, and a log behind it. */
  @BeforeEach
  void fill() {
    SimWorld world = SimWorld.ofBlocks(5, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(world);
    Machine machine =
        new Machine(world.closesUnchecked("it dies"), StoreFixture.recovered(world).store());
    machine.done(
        out -> {
          assertEquals(TABLE, out.newSegmentId());
          out.putInode(CheckedTablesTest.inode(TABLE, Kind.TABLE, 0));
          out.put(StoreTree.ENTRIES, TableEntries.countKey(TABLE), TableEntries.storedCount(COUNT));
        });
    for (int from = 0; from < COUNT; from += PER_CHANGE) {
      int first = from;
      machine.done(
          out -> {
            for (int i = first; i < first + PER_CHANGE; i++) {
              out.put(StoreTree.ENTRIES, key(i), value(i));
            }
          });
    }
    world.<Unit>get(machine.store::checkpoint);
    machine.done(
        out -> {
          out.put(StoreTree.ENTRIES, key(CHANGED), value(-CHANGED));
          out.remove(StoreTree.ENTRIES, key(REMOVED));
          out.put(StoreTree.ENTRIES, key(COUNT), value(COUNT));
        });
    image = world.disk().contents().fork();
  }

  /** As it must be in the end. */
  private static Optional<byte[]> right(int number) {
    return number == REMOVED
        ? Optional.empty()
        : Optional.of(value(number == CHANGED ? -CHANGED : number));
  }

  private static byte[] key(int number) {
    return TableEntries.key(TABLE, TreeKeys.of(number));
  }

  private static byte[] value(int number) {
    return TableEntries.stored(TreeKeys.of(number));
  }

  /** A store and its machine. */
  private record Machine(SimWorld world, Store store) {
    static Machine over(DiskImage image) {
      SimWorld world =
          SimWorld.ofBlocks(5, StoreFixture.tinyLayout().maxBlocks())
              .closesUnchecked("damaged on purpose")
              .reopen(image);
      return new Machine(world.closesUnchecked("as before"), StoreFixture.recovered(world).store());
    }

    Completion<Unit> change(Consumer<Mutations> does) {
      return world.await(
          port ->
              store.change(
                  (view, out) -> {
                    does.accept(out);
                    return Completion.done();
                  },
                  Durability.SYNC,
                  port));
    }

    void done(Consumer<Mutations> does) {
      assertInstanceOf(Completion.Done.class, change(does));
    }

    /** The numbers of the entries that cannot be read; all others are right. */
    Set<Integer> lost() {
      Set<Integer> lost = new TreeSet<>();
      for (int i = 0; i <= COUNT; i++) {
        int number = i;
        Completion<Optional<byte[]>> read =
            world.await(
                port ->
                    store.query(
                        view ->
                            Completion.done(
                                Optional.ofNullable(view.get(StoreTree.ENTRIES, key(number)))),
                        port));
        if (read instanceof Completion.Done<Optional<byte[]>>(Optional<byte[]> found)) {
          assertArrayEquals(right(i).orElse(null), found.orElse(null), "entry " + i);
        } else {
          assertSaysWhatIsLost(read);
          lost.add(i);
        }
      }
      return lost;
    }

    VerifyReport verified() {
      return world.get(port -> store.verify(new VerifyOptions(true), (at, of) -> true, port));
    }

    DiskImage closed() {
      world.<Unit>get(store::close);
      return world.disk().contents().fork();
    }
  }

  private static void assertSaysWhatIsLost(Completion<?> completion) {
    String message =
        assertInstanceOf(
                Failure.Corrupt.class,
                assertInstanceOf(Completion.Failed.class, completion).failure())
            .message();
    assertTrue(message.contains("with the entries from "), message);
    assertTrue(message.contains(" of table 16"), message);
  }

  private static List<Long> leaves(DiskImage image) {
    List<Long> leaves = new ArrayList<>();
    image.forEachWritten(
        block -> {
          if (SimDecay.isLeafOfEntries(image, block)) {
            leaves.add(block);
          }
        });
    return leaves;
  }

  private DiskImage damaged(long block) {
    DiskImage damaged = image.fork();
    damaged.flipBit(block, 8 * (Disk.BLOCK_BYTES - 1));
    return damaged;
  }

  @Test
  void whole_hasOneCopyOfEachLeaf() {
    Set<ByteBuffer> contents = new TreeSet<>();
    List<Long> leaves = leaves(image);
    leaves.forEach(block -> contents.add(ByteBuffer.wrap(image.read(block))));
    assertTrue(leaves.size() > COUNT / 4, "leaves");
    assertEquals(contents.size(), leaves.size(), "the same twice");
    Machine machine = Machine.over(image.fork());
    assertEquals(Set.of(), machine.lost());
  }

  /** Also where the log changes what is in the leaf: it opens without. */
  @Test
  void eachLeafInTurn_costsWhatIsInIt() {
    Set<Integer> lostByAny = new TreeSet<>();
    for (long block : leaves(image)) {
      Machine machine = Machine.over(damaged(block));
      Set<Integer> lost = machine.lost();
      assertTrue(lost.size() <= 5, "of one leaf: " + lost);
      if (lost.isEmpty()) {
        continue;
      }
      lostByAny.addAll(lost);
      boolean meetsLog = lost.contains(CHANGED) || lost.contains(REMOVED) || lost.contains(COUNT);
      assertEquals(
          meetsLog,
          machine.store.info().opening().findings().toString().contains("pages of entries"));
      assertTrue(machine.store.info().damage().reads() > 0, "damage that was met is counted");
      int gone = lost.iterator().next();
      assertSaysWhatIsLost(machine.change(out -> out.put(StoreTree.ENTRIES, key(gone), value(0))));
      machine.done(out -> out.put(StoreTree.PROPERTIES, new byte[] {1}, new byte[1]));
      int present = lost.contains(0) ? COUNT - 5 : 0;
      machine.done(out -> out.put(StoreTree.ENTRIES, key(present), value(present)));
      String problems = machine.verified().problems().toString();
      assertTrue(problems.contains("are lost"), problems);
      assertTrue(problems.contains("entries of table 16 are lost with a page"), problems);
      // The device shows again what the leaf was: without what the log has said of it since.
      DiskImage healed = machine.closed();
      healed.put(block, image.read(block));
      Machine later = Machine.over(healed);
      assertEquals(meetsLog ? lost : Set.of(), later.lost());
      assertEquals(meetsLog, !later.verified().isSound(), "a lost leaf is told of");
    }
    assertTrue(lostByAny.containsAll(List.of(0, CHANGED, REMOVED, COUNT)), "lost: " + lostByAny);
  }

  @Test
  void openedToReadOnly_showsTheNewestOfTheRest() {
    boolean metLog = false;
    for (long block : leaves(image)) {
      SimWorld world =
          SimWorld.ofBlocks(5, StoreFixture.tinyLayout().maxBlocks())
              .closesUnchecked("damaged on purpose")
              .reopen(damaged(block));
      Store store =
          world.get(
              port ->
                  Stores.open(
                      world.dispatcher(),
                      world.disk(),
                      StoreFixture.tinyOptions(5).asReadOnly(),
                      port));
      assertEquals(OpeningReport.Age.NEWEST, store.info().opening().age());
      metLog |= new Machine(world, store).lost().contains(CHANGED);
    }
    assertTrue(metLog, "no leaf that the log changes");
  }

  /** It stays, and what was deleted after it goes all the same. */
  @Test
  void aDeletedTable_whoseLeafIsLost_keepsNobodyWaiting() {
    long block =
        leaves(image).stream()
            .filter(leaf -> Machine.over(damaged(leaf)).lost().contains(COUNT / 2 + 5))
            .findFirst()
            .orElseThrow();
    Machine machine = Machine.over(damaged(block));
    long other =
        machine.world.<Long>get(
            port ->
                machine.store.change(
                    (view, out) -> {
                      long id = out.newSegmentId();
                      out.putInode(CheckedTablesTest.inode(id, Kind.TABLE, 0));
                      out.put(
                          StoreTree.ENTRIES,
                          TableEntries.countKey(id),
                          TableEntries.storedCount(0));
                      return Completion.done(id);
                    },
                    Durability.SYNC,
                    port));
    for (long table : new long[] {TABLE, other}) {
      assertInstanceOf(
          Completion.Done.class,
          machine.world.<Unit>await(
              port ->
                  machine.store.change(
                      (view, out) -> {
                        out.removeSegment(view.inode(table));
                        return Completion.done();
                      },
                      Durability.SYNC,
                      port)));
    }
    machine.world.runUntilIdle();
    assertTrue(isOrphan(machine, TABLE), "a damaged table has no entries left");
    assertFalse(isOrphan(machine, other), "one behind a damaged one stays");
  }

  /**
   * A volume of a program that wrote all leaves twice, with the same entries: it says that it has
   * single ones before the first is written, and gets them page by page.
   */
  @Test
  void leavesWithTwoCopies_getOneAsTheyAreWritten() throws IOException {
    image = OldVolumeTest.image("volume-doubled-leaves");
    for (long block : leaves(image)) {
      Machine half = Machine.over(damaged(block));
      assertEquals(Set.of(), half.lost(), "the other copy heals it");
    }
    Machine machine = Machine.over(image.fork());
    assertEquals("[]", machine.verified().problems().toString());
    machine.done(out -> out.remove(StoreTree.ENTRIES, key(0)));
    machine.done(out -> out.remove(StoreTree.ENTRIES, TableEntries.key(TABLE, new byte[] {1})));
    machine.world.<Unit>get(machine.store::checkpoint);
    assertFalse(machine.store.access().features().uses(StoreFeature.SINGLE_LEAVES));
    long before = machine.verified().metadataBlocks();
    machine.done(out -> out.put(StoreTree.ENTRIES, key(0), value(0)));
    assertTrue(machine.store.access().features().uses(StoreFeature.SINGLE_LEAVES));
    assertEquals("[]", machine.verified().problems().toString());
    assertEquals(before - 1, machine.verified().metadataBlocks(), "blocks of pages");
    for (int i = 0; i < COUNT; i += 2) {
      int number = i;
      right(i)
          .ifPresent(value -> machine.done(out -> out.put(StoreTree.ENTRIES, key(number), value)));
    }
    assertEquals(Set.of(), machine.lost());
    assertEquals("[]", machine.verified().problems().toString());
    assertTrue(machine.verified().metadataBlocks() < before - COUNT / 5, "some have two still");
  }

  private static boolean isOrphan(Machine machine, long table) {
    return machine.world.<Boolean>get(
        port ->
            machine.store.query(
                view -> Completion.done(view.get(StoreTree.ORPHANS, TreeKeys.of(table)) != null),
                port));
  }
}
