package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.LockConfig;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.StagedContent;
import dev.upcall.io.IoClass;
import dev.upcall.pressure.PressureCounters;
import dev.upcall.pressure.Scarce;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.Query;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the simulator's snapshots do by chance, one by one. */
class SnapshotTest {
  private SimWorld world = SimWorld.ofBlocks(1, 4096);
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
  void whoeverMightHaveToCopyTooMuchWaitsUntilContentIsPlaced() {
    fill(store);
    take();
    assertEquals(1, copies(store).waited());
    assertEquals(0, store.store().info().unplacedBytes());
    long copied = store.store().metrics().snapshots().copiedBytes();
    assertTrue(copied <= 2 << 20, "copied " + copied);
  }

  @Test
  void closingOthersMakesRoomForWhoWaits() {
    List<Snapshot> held = fill(store);
    List<Completion<Snapshot>> answers = new ArrayList<>();
    store.store().snapshot(answers::add);
    assertEquals(1, copies(store).waiting());
    held.forEach(Snapshot::close);
    assertEquals(List.of(), answers, "not inside the call");
    world.runUntil(() -> !answers.isEmpty());
    assertEquals(0, copies(store).waiting());
    assertInstanceOf(Completion.Done.class, answers.getFirst());
  }

  @Test
  void whoeverWaitsIsRefusedWhenTheStoreCloses() {
    fill(store);
    List<Completion<Snapshot>> answers = new ArrayList<>();
    store.store().snapshot(answers::add);
    store.store().begin(answer -> answers.add(failed(answer)));
    world.<Unit>get(store.store()::close);
    assertEquals(2, answers.size());
    for (Completion<Snapshot> answer : answers) {
      assertInstanceOf(Failure.Closed.class, ((Completion.Failed<Snapshot>) answer).failure());
    }
    world = world.reopen(world.disk().contents());
    store = StoreFixture.open(world);
  }

  @Test
  void nobodyWaitsForEver() {
    long writeNanos = LockConfig.DEFAULT.timeoutNanos() + 1_000_000_000;
    SimWorld slow =
        new SimWorld(1, SimDiskConfig.ofBlocks(4096).withLatency(writeNanos, writeNanos));
    StoreFixture.format(slow);
    StoreFixture slowStore = StoreFixture.open(slow);
    fill(slowStore);
    long since = slow.clock().monotonicNanos();
    Completion<Snapshot> taken = slow.await(slowStore.store()::snapshot);
    assertInstanceOf(Failure.Busy.class, ((Completion.Failed<Snapshot>) taken).failure());
    assertEquals(LockConfig.DEFAULT.timeoutNanos(), slow.clock().monotonicNanos() - since, 1e8);
    assertEquals(1, copies(slowStore).refused());
    slow.<Unit>get(slowStore.store()::close);
  }

  @Test
  void whoForgetsToCloseThemIsToldSo() {
    SimWorld other = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(other);
    StoreOptions usual = StoreFixture.tinyOptions(1);
    StoreConfig limited = usual.config().withSnapshots(new SnapshotConfig(5, 3));
    StoreOptions options =
        new StoreOptions(limited, usual.capBlocks(), usual.treeFanOut(), usual.random());
    StoreFixture small = Objects.requireNonNull(StoreFixture.tryOpen(other, options));
    other.<NamedSnapshot>get(port -> small.store().namedSnapshots().create("named", port));
    Snapshot first = other.get(small.store()::snapshot);
    Snapshot named = other.get(port -> small.store().namedSnapshots().open("named", port));
    List<Completion<Snapshot>> together = new ArrayList<>();
    small.store().snapshot(together::add);
    small.store().snapshot(together::add);
    small.store().namedSnapshots().open("named", together::add);
    other.runUntil(() -> together.size() == 3);
    List<String> refused =
        together.stream()
            .filter(Completion.Failed.class::isInstance)
            .map(answer -> ((Completion.Failed<Snapshot>) answer).failure().message())
            .toList();
    String sentence = "too many snapshots open at once (3); close some";
    assertEquals(List.of(sentence, sentence), refused);
    assertEquals(2, small.store().metrics().snapshots().refused());
    // Transactions have their own limit.
    Transaction transaction = other.get(small.store()::begin);
    transaction.rollback();
    named.close();
    first.close();
    first.close();
    Snapshot again = other.get(small.store()::snapshot);
    assertInstanceOf(
        Completion.Done.class,
        other.<Snapshot>await(port -> small.store().namedSnapshots().open("named", port)));
    assertInstanceOf(Completion.Failed.class, other.<Snapshot>await(small.store()::snapshot));
    again.close();
    other.<Unit>get(small.store()::close);
  }

  private static PressureCounters copies(StoreFixture of) {
    return of.store().metrics().pressure().get(Scarce.COPIES.ordinal());
  }

  private static Completion<Snapshot> failed(Completion<Transaction> answer) {
    return ((Completion.Failed<Transaction>) answer).cast();
  }

  /** Each keeps what the next one does not see any more, until one more has to wait. */
  private static List<Snapshot> fill(StoreFixture of) {
    List<Snapshot> held = new ArrayList<>();
    while (of.store().metrics().snapshots().copiedBytes() + of.store().info().unplacedBytes()
        <= 2 << 20) {
      held.add(of.world().get(of.store()::snapshot));
      StoreTest.done(of.put(100 + held.size() % 3, StoreFixture.bytes(held.size(), 20_000)));
      assertTrue(held.size() < 400);
    }
    return held;
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
