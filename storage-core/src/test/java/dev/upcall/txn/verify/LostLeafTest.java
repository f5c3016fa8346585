package dev.upcall.txn.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.access.TableView;
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
import dev.upcall.txn.change.WriteSet;
import dev.upcall.txn.change.WriteSetView;
import dev.upcall.txn.engine.OldVolumeTest;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.state.Op;
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

  /** Keys that the log behind the checkpoint changes, takes away and adds. */
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
        Completion<Optional<byte[]>> read = read(key(i));
        if (read instanceof Completion.Done<Optional<byte[]>>(Optional<byte[]> found)) {
          assertArrayEquals(right(i).orElse(null), found.orElse(null), "entry " + i);
        } else {
          assertSaysWhatIsLost(read);
          lost.add(i);
        }
      }
      return lost;
    }

    /** Makes a table with so many entries. */
    long made(int entries) {
      return world.<Long>get(
          port ->
              store.change(
                  (view, out) -> {
                    long id = out.newSegmentId();
                    out.putInode(CheckedTablesTest.inode(id, Kind.TABLE, 0));
                    out.put(
                        StoreTree.ENTRIES,
                        TableEntries.countKey(id),
                        TableEntries.storedCount(entries));
                    for (int i = 0; i < entries; i++) {
                      byte[] key = TableEntries.key(id, TreeKeys.of(i));
                      out.put(StoreTree.ENTRIES, key, value(i));
                    }
                    return Completion.done(id);
                  },
                  Durability.SYNC,
                  port));
    }

    void delete(long table) {
      world.<Unit>get(
          port ->
              store.change(
                  (view, out) -> {
                    out.removeSegment(view.inode(table));
                    return Completion.done();
                  },
                  Durability.SYNC,
                  port));
    }

    private Completion<Optional<byte[]>> read(byte[] key) {
      return world.await(
          port ->
              store.query(
                  view -> Completion.done(Optional.ofNullable(view.get(StoreTree.ENTRIES, key))),
                  port));
    }

    /** The value under a number's key, also when the table was deleted. */
    Optional<byte[]> found(int number) {
      return read(key(number)) instanceof Completion.Done<Optional<byte[]>>(Optional<byte[]> found)
          ? found
          : fail("entry " + number);
    }

    long count(long table) {
      return world.<Long>get(
          port -> store.query(view -> Completion.done(new TableView(view, table).count()), port));
    }

    /** All entries, those of a transaction over them included. */
    TableView.Page page(long table, boolean ascends, WriteSet own) {
      return world.<TableView.Page>get(
          port ->
              store.query(
                  view ->
                      Completion.done(
                          new TableView(new WriteSetView(view, own), table)
                              .page(TableView.Range.ALL, ascends, 2 * COUNT, 1 << 20)),
                  port));
    }

    /** Whether the number of its entries and each of them can be read, one by one. */
    boolean isWhole(long table) {
      for (int i = -1; i <= COUNT; i++) {
        byte[] key = i < 0 ? TableEntries.countKey(table) : TableEntries.key(table, TreeKeys.of(i));
        if (read(key) instanceof Completion.Failed<?>) {
          return false;
        }
      }
      return true;
    }

    boolean isOrphan(long table) {
      return world.<Boolean>get(
          port ->
              store.query(
                  view -> Completion.done(view.get(StoreTree.ORPHANS, TreeKeys.of(table)) != null),
                  port));
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

  /**
   * A device may refuse a block once and show it another time: the log is not given up for that.
   */
  @Test
  void aLeafThatTheDeviceRefuses_keepsTheStoreFromBeingOpenedToWrite() {
    int refused = 0;
    for (long block : leaves(image)) {
      SimWorld world =
          SimWorld.ofBlocks(5, StoreFixture.tinyLayout().maxBlocks())
              .closesUnchecked("refused on purpose")
              .reopen(image.fork());
      world.disk().breakBlock(block);
      Completion<Store> opened =
          world.await(
              port ->
                  Stores.open(world.dispatcher(), world.disk(), StoreFixture.tinyOptions(5), port));
      if (opened instanceof Completion.Failed<Store>(Failure why)) {
        assertInstanceOf(Failure.Device.class, why);
        refused++;
      }
      Machine later = Machine.over(world.disk().contents().fork());
      assertEquals(Set.of(), later.lost(), "marked as lost");
      assertEquals("[]", later.verified().problems().toString());
    }
    assertTrue(refused > 0, "no leaf that the log changes");
  }

  /** Entries before the leaf go; the rest stays, and a table that was deleted after it goes. */
  @Test
  void aDeletedTable_whoseLeafIsLost_keepsNobodyWaiting() {
    long block =
        leaves(image).stream()
            .filter(leaf -> Machine.over(damaged(leaf)).lost().contains(COUNT / 2 + 5))
            .findFirst()
            .orElseThrow();
    Machine machine = Machine.over(damaged(block));
    int firstLost = new TreeSet<>(machine.lost()).first();
    long other = machine.made(0);
    machine.delete(TABLE);
    machine.delete(other);
    machine.world.runUntilIdle();
    assertTrue(machine.isOrphan(TABLE), "a damaged table has no entries left");
    assertFalse(machine.isOrphan(other), "one behind a damaged one stays");
    for (int i = 0; i < firstLost; i++) {
      assertEquals(Optional.empty(), machine.found(i), "entry " + i + " stays");
    }
    assertEquals(
        right(COUNT).map(ByteBuffer::wrap),
        machine.found(COUNT).map(ByteBuffer::wrap),
        "what is behind the leaf");
  }

  /** Nobody looks into a leaf that has nothing of a table when he reads it, or takes it apart. */
  @Test
  void aNeighbour_isReadAndTakenApartWhole() {
    Machine whole = Machine.over(image.fork());
    List<Long> tables = new ArrayList<>(List.of(TABLE));
    // One entry more than a leaf has, so that one of so many begins with a leaf.
    for (int i = 0; i < 4; i++) {
      tables.add(whole.made(4));
    }
    image = whole.closed();
    int besideLost = 0;
    for (long block : leaves(image)) {
      List<Long> sound = new ArrayList<>();
      for (long table : tables) {
        if (Machine.over(damaged(block)).isWhole(table)) {
          sound.add(table);
        }
      }
      besideLost += sound.size() < tables.size() ? sound.size() : 0;
      for (long table : sound) {
        Machine machine = Machine.over(damaged(block));
        WriteSet own = new WriteSet();
        byte[] key = TableEntries.key(table, TreeKeys.of(3 * COUNT));
        own.absorb(List.of(new Op.Put(StoreTree.ENTRIES, key, value(0))));
        for (boolean ascends : new boolean[] {true, false}) {
          TableView.Page alone = machine.page(table, ascends, new WriteSet());
          assertEquals(machine.count(table), alone.entries().size());
          TableView.Page more = machine.page(table, ascends, own);
          assertEquals(alone.entries().size() + 1, more.entries().size());
        }
        machine.delete(table);
        machine.world.runUntilIdle();
        assertFalse(machine.isOrphan(table), "table " + table + " with block " + block);
      }
    }
    assertTrue(besideLost > tables.size(), "tables beside a damaged one: " + besideLost);
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
}
