package dev.upcall.txn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentSlice;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.StagedContent;
import dev.upcall.sim.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the simulator's snapshots do by chance, one by one. */
class SnapshotTest {
  private final SimWorld world = SimWorld.ofBlocks(1, 4096);
  private StoreFixture store;

  @BeforeEach
  void open() {
    StoreFixture.format(world);
    store = StoreFixture.open(world);
  }

  @AfterEach
  void close() {
    store.verify();
    world.<Unit>get(store.store()::close);
  }

  @Test
  void theOlderOfTwoTakesOverWhatTheNewerKept() {
    byte[] first = StoreFixture.bytes(1, 20_000);
    StoreTest.done(store.put(100, first));
    Snapshot older = take();
    Snapshot newer = take();
    StoreTest.done(store.put(100, StoreFixture.bytes(2, 10_000)));
    assertEquals(0, older.info().copiedBytes());
    assertTrue(newer.info().copiedBytes() >= 20_000, () -> newer.info().toString());
    assertArrayEquals(first, read(older, 100));
    newer.close();
    assertTrue(older.info().copiedBytes() >= 20_000, () -> older.info().toString());
    assertArrayEquals(first, read(older, 100));
    older.close();
    assertTrue(store.store().snapshots().isEmpty());
  }

  @Test
  void whatOnlyTheNewerSawGoesWithIt() {
    Snapshot older = take();
    StoreTest.done(store.put(100, StoreFixture.bytes(1, 20_000)));
    Snapshot newer = take();
    StoreTest.done(store.remove(100));
    assertArrayEquals(StoreFixture.bytes(1, 20_000), read(newer, 100));
    newer.close();
    assertEquals(0, older.info().copiedBytes());
    assertInstanceOf(Failure.NotFound.class, failure(older, 100));
    older.close();
  }

  @Test
  void contentIsTheSameBeforeAndAfterItIsPlaced() {
    byte[] content = StoreFixture.bytes(1, 30_000);
    StoreTest.done(store.put(100, content));
    Snapshot snapshot = take();
    assertArrayEquals(content, read(snapshot, 100));
    world.<Unit>get(store.store()::checkpoint);
    assertArrayEquals(content, read(snapshot, 100));
    snapshot.close();
  }

  @Test
  void spaceComesBackWithTheCloseAndNotOnlyWithTheNextCheckpoint() {
    StoreTest.done(store.put(100, StoreFixture.bytes(1, 400_000)));
    world.<Unit>get(store.store()::checkpoint);
    Snapshot snapshot = take();
    StoreTest.done(store.remove(100));
    world.<Unit>get(store.store()::checkpoint);
    assertTrue(snapshot.info().heldBytes() >= 400_000, () -> snapshot.info().toString());
    assertEquals(snapshot.scn(), store.store().snapshots().getFirst().scn());
    PinnedContent open = world.get(port -> snapshot.pin(file(100), StoreFixture.OWNER, port));
    snapshot.close();
    ContentSlice slice = world.get(port -> open.read(300_000, 10, IoClass.FOREGROUND_READ, port));
    assertEquals(10, slice.sizeBytes());
    slice.release();
    Snapshot later = take();
    assertEquals(0, later.info().heldBytes());
    open.close();
    later.close();
  }

  @Test
  void aClosedOneRefuses() {
    StoreTest.done(store.put(100, StoreFixture.bytes(1, 10)));
    Snapshot snapshot = take();
    snapshot.close();
    snapshot.close();
    assertInstanceOf(Failure.Closed.class, failure(snapshot, 100));
  }

  @Test
  void whatWasAskedBeforeTheCloseEndsAsIfItWereOpen() {
    byte[] content = StoreFixture.bytes(1, 20_000);
    StoreTest.done(store.put(100, content));
    Snapshot snapshot = take();
    StagedContent next = Objects.requireNonNull(store.stage(StoreFixture.bytes(2, 10)));
    store.put(100, next, completion -> {});
    List<Completion<?>> answers = new ArrayList<>();
    PinnedContent read =
        world.get(
            port -> {
              snapshot.query(
                  view -> Completion.done(view.scn()),
                  first -> {
                    answers.add(first);
                    snapshot.query(view -> Completion.done(view.scn()), answers::add);
                  });
              snapshot.pin(file(100), StoreFixture.OWNER, port);
              snapshot.close();
              snapshot.query(view -> Completion.done(view.scn()), answers::add);
            });
    try (read) {
      assertArrayEquals(content, StoreFixture.read(world, read));
    }
    assertEquals(
        2, answers.stream().filter(answer -> answer instanceof Completion.Done).count(), "in time");
    assertEquals(3, answers.size());
  }

  @Test
  void closingTheStoreClosesThem() {
    take();
    assertEquals(1, store.store().snapshots().size());
  }

  @Test
  void tooMuchToCopyIsRefused() {
    Completion<Snapshot> taken = world.await(store.store()::snapshot);
    int files = 0;
    while (taken instanceof Completion.Done<Snapshot> && files < 400) {
      // Each snapshot keeps what the next one does not see any more.
      StoreTest.done(store.put(100 + files % 3, StoreFixture.bytes(files, 20_000)));
      files++;
      taken = world.await(store.store()::snapshot);
    }
    assertInstanceOf(Failure.Busy.class, ((Completion.Failed<Snapshot>) taken).failure());
    long copied = store.store().snapshots().stream().mapToLong(SnapshotInfo::copiedBytes).sum();
    assertTrue(copied <= 2 << 20, "copied " + copied);
  }

  private Snapshot take() {
    return world.get(store.store()::snapshot);
  }

  private static Query<Inode> file(long id) {
    return view -> {
      Inode inode = view.inode(id);
      return inode == null
          ? Completion.failed(new Failure.NotFound("file " + id))
          : Completion.done(inode);
    };
  }

  private byte[] read(Snapshot snapshot, long id) {
    PinnedContent content = world.get(port -> snapshot.pin(file(id), StoreFixture.OWNER, port));
    try (content) {
      return StoreFixture.read(world, content);
    }
  }

  private Failure failure(Snapshot snapshot, long id) {
    Completion<PinnedContent> failed =
        world.await(port -> snapshot.pin(file(id), StoreFixture.OWNER, port));
    return ((Completion.Failed<PinnedContent>) failed).failure();
  }
}
