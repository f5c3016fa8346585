package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.DamageLog;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Damage that reads have met counts as long as something needs the damaged blocks. */
class DamageInUseTest {
  private static final long FILE = 100;
  private static final long CLONE = 101;
  private static final byte[] CONTENT = StoreFixture.bytes(1, 60_000);
  private static final byte[] OTHER = StoreFixture.bytes(2, 60_000);

  private SimWorld world = SimWorld.ofBlocks(1, 4096).closesUnchecked("damaged on purpose");
  private StoreFixture store;

  @BeforeEach
  void placeAFile() {
    StoreFixture.format(world);
    store = StoreFixture.recovered(world);
    StoreTest.done(store.put(FILE, CONTENT));
    checkpoint();
  }

  @AfterEach
  void close() {
    world.<Unit>get(store.store()::close);
  }

  private void checkpoint() {
    world.<Unit>get(store.store()::checkpoint);
  }

  /** The store is opened anew, so that nothing of the content is in memory, and a block decays. */
  private void damage() {
    world.<Unit>get(store.store()::close);
    world = world.reopen(world.disk().contents().fork()).closesUnchecked("damaged on purpose");
    store = StoreFixture.recovered(world);
    world.disk().contents().flipBit(block(), 17);
    readsInVain();
    assertEquals(1, places().size());
    assertInstanceOf(Failure.Corrupt.class, places().getFirst());
  }

  private void readsInVain() {
    PinnedContent reader = pin();
    assertInstanceOf(Completion.Failed.class, StoreFixture.readAll(world, reader));
    reader.close();
  }

  private PinnedContent pin() {
    return world.get(
        port ->
            store.store().pin(view -> Completion.done(view.inode(FILE)), StoreFixture.OWNER, port));
  }

  private long block() {
    Layout layout =
        world.get(
            port -> store.store().query(view -> Completion.done(view.inode(FILE).layout()), port));
    return ((Layout.Extents) layout.space()).entries().getFirst().extent().block();
  }

  private DamageLog.Report damaged() {
    return store.store().info().damage();
  }

  private List<Failure> places() {
    return damaged().places();
  }

  private void replace() {
    StoreTest.done(store.put(FILE, OTHER));
    checkpoint();
    assertArrayEquals(OTHER, store.read(FILE));
  }

  @Test
  void replaced_isNoDamageAnyMore() {
    damage();
    StoreTest.done(store.put(FILE, OTHER));
    assertEquals(1, places().size(), "a crash could bring it back");
    checkpoint();
    assertEquals(List.of(), places());
    assertTrue(damaged().reads() > 0, "reads are counted since the opening");
  }

  @Test
  void deleted_isNoDamageAnyMore_alsoWhereOthersGetTheBlock() {
    damage();
    long block = block();
    StoreTest.done(store.remove(FILE));
    checkpoint();
    assertEquals(List.of(), places());
    StoreTest.done(store.put(FILE, OTHER));
    checkpoint();
    assertEquals(block, block(), "the block is used again");
    assertArrayEquals(OTHER, store.read(FILE));
    assertEquals(List.of(), places());
  }

  @Test
  void readerThatIsOpen_countsUntilItCloses() {
    damage();
    PinnedContent reader = pin();
    replace();
    assertEquals(1, places().size());
    reader.close();
    StoreTest.done(store.put(CLONE, OTHER));
    checkpoint();
    assertEquals(List.of(), places());
  }

  @Test
  void clone_countsUntilItGoes() {
    StoreTest.done(
        world.await(
            port ->
                store
                    .store()
                    .change(
                        (view, out) -> {
                          Inode made = StoreFixture.file(CLONE);
                          out.putClone(made, FILE);
                          return Completion.done();
                        },
                        Durability.SYNC,
                        port)));
    checkpoint();
    damage();
    replace();
    assertEquals(1, places().size());
    StoreTest.done(store.remove(CLONE));
    checkpoint();
    assertEquals(List.of(), places());
  }

  @Test
  void namedSnapshot_countsUntilItIsDropped() {
    world.<NamedSnapshot>get(port -> store.store().namedSnapshots().create("then", port));
    damage();
    replace();
    assertEquals(1, places().size());
    world.<Unit>get(port -> store.store().namedSnapshots().drop("then", port));
    assertTrue(world.runUntil(() -> places().isEmpty()), "the sweep after the drop");
  }

  @Test
  void blockThatTheDeviceCannotRead_countsUntilItIsFreed() {
    world.<Unit>get(store.store()::close);
    world = world.reopen(world.disk().contents().fork()).closesUnchecked("damaged on purpose");
    store = StoreFixture.recovered(world);
    long block = block();
    world.disk().breakBlock(block);
    readsInVain();
    readsInVain();
    assertEquals(1, places().size(), places()::toString);
    Failure.Device told = assertInstanceOf(Failure.Device.class, places().getFirst());
    assertTrue(told.message().contains("at byte offset " + block * 4096), told::message);
    replace();
    assertEquals(List.of(), places());
  }
}
