package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import dev.upcall.txn.Query;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.metrics.SnapshotCounters;
import dev.upcall.txn.state.SnapshotRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the simulator's named snapshots do by chance, one by one. */
public class NamedSnapshotTest {
  private static final byte[] FIRST = StoreFixture.bytes(1, 300_000);
  private static final byte[] SMALL = StoreFixture.bytes(2, 9000);

  private SimWorld world =
      new SimWorld(
          1, SimDiskConfig.ofBlocks(0).withCapacity(StoreFixture.tinyLayout().maxBlocks()));
  private StoreFixture store;

  @BeforeEach
  void open() {
    StoreFixture.format(world);
    store = StoreFixture.open(world);
    StoreTest.done(store.put(100, FIRST));
    StoreTest.done(store.put(101, SMALL));
  }

  @AfterEach
  void close() {
    store.verify();
    world.<Unit>get(store.store()::close);
  }

  @Test
  void showsItsMomentWhateverComesAfter() {
    NamedSnapshot made = create("monday");
    assertEquals("monday", made.name());
    overwriteAll();
    assertMoment("monday");
    List<NamedSnapshot> list = list().snapshots();
    assertEquals(1, list.size());
    assertEquals(made.scn(), list.getFirst().scn());
    assertEquals(made.createdNanos(), list.getFirst().createdNanos());
    assertTrue(list.getFirst().exclusiveBytes() >= 300_000, list::toString);
    assertEquals(list.getFirst().exclusiveBytes(), list().heldBytes());
  }

  @Test
  void isCounted() {
    assertEquals(new SnapshotCounters(0, 0, 0, 0, 0, 0), store.store().metrics().snapshots());
    NamedSnapshot made = create("monday");
    create("tuesday");
    overwriteAll();
    world.<Unit>get(store.store()::checkpoint);
    Snapshot open = world.get(store.store()::snapshot);
    SnapshotCounters counted = store.store().metrics().snapshots();
    assertEquals(1, counted.open());
    assertEquals(2, counted.named());
    assertEquals(
        world.dispatcher().clock().epochNanos() - made.createdNanos(), counted.oldestAgeNanos());
    assertTrue(counted.keptBlocks() * Disk.BLOCK_BYTES >= 300_000, counted::toString);
    open.close();
    StoreTest.done(drop("monday"));
    assertEquals(0, store.store().metrics().snapshots().open());
    assertEquals(1, store.store().metrics().snapshots().named());
  }

  @Test
  void staysOverOpenings() {
    create("monday");
    overwriteAll();
    reopen();
    assertMoment("monday");
    overwriteAll();
    overwriteAll();
    assertMoment("monday");
    assertEquals("monday", list().snapshots().getFirst().name());
    store.verify();
    reopen();
    store.verify();
    assertMoment("monday");
  }

  @Test
  void staysOverACrash() {
    create("monday");
    overwriteAll();
    for (int i = 0; i < 3; i++) {
      world = world.reopen(world.disk().crashImage(new SplittableRandom(i)));
      store = StoreFixture.open(world);
      store.verify();
      overwriteAll();
      assertMoment("monday");
    }
  }

  @Test
  void whatOnlyOneHoldsComesBackWithIt() {
    StoreInfo before = store.store().info();
    create("monday");
    overwriteAll();
    world.<Unit>get(store.store()::checkpoint);
    create("tuesday");
    StoreTest.done(store.remove(100));
    world.<Unit>get(store.store()::checkpoint);
    NamedSnapshotList list = list();
    long both = list.heldBytes();
    assertTrue(both >= 600_000, list::toString);
    StoreTest.done(drop("monday"));
    world.runUntilIdle();
    list = list();
    assertEquals(List.of("tuesday"), list.snapshots().stream().map(NamedSnapshot::name).toList());
    assertTrue(list.heldBytes() <= both - 200_000, list::toString);
    assertInstanceOf(Failure.NotFound.class, refusal(open("monday")));
    StoreTest.done(drop("tuesday"));
    world.runUntilIdle();
    assertEquals(new NamedSnapshotList(List.of(), 0), list());
    world.<Unit>get(store.store()::checkpoint);
    StoreInfo after = store.store().info();
    long used = after.sizeBytes() - after.freeBytes();
    assertTrue(used <= before.sizeBytes() - before.freeBytes(), after + ", before " + before);
  }

  @Test
  void aReaderOfADroppedOneReadsOn() {
    create("monday");
    overwriteAll();
    Snapshot reader = done(open("monday"));
    PinnedContent content = world.get(port -> reader.pin(file(100), StoreFixture.OWNER, port));
    StoreTest.done(drop("monday"));
    fill();
    assertArrayEquals(FIRST, StoreFixture.read(world, content));
    reader.close();
    assertArrayEquals(FIRST, StoreFixture.read(world, content));
    content.close();
    world.runUntilIdle();
    assertEquals(0, list().heldBytes());
  }

  @Test
  void aNewOneMayHaveTheNameOfADroppedOne() {
    create("a");
    overwriteAll();
    StoreTest.done(drop("a"));
    create("a");
    byte[] present = store.read(100);
    StoreTest.done(store.put(100, SMALL));
    try (Snapshot snapshot = done(open("a"))) {
      assertArrayEquals(present, read(snapshot, 100));
    }
  }

  @Test
  void namesAndLimitsAreChecked() {
    create("a");
    assertInstanceOf(Failure.AlreadyExists.class, refusal(tryCreate("a")));
    assertInstanceOf(Failure.Invalid.class, refusal(tryCreate("")));
    assertInstanceOf(Failure.Invalid.class, refusal(tryCreate("ä".repeat(128))));
    assertInstanceOf(Failure.Invalid.class, refusal(tryCreate("\ud800")));
    assertInstanceOf(Failure.NotFound.class, refusal(drop("b")));
    assertInstanceOf(Failure.NotFound.class, refusal(open("b")));
    for (int i = 1; i < StoreFixture.SNAPSHOTS.maxNamed(); i++) {
      create("a" + i);
    }
    Failure many = refusal(tryCreate("one more"));
    assertInstanceOf(Failure.TooLarge.class, many);
    assertTrue(many.message().contains("snapshots, the limit is "), many.message());
    StoreTest.done(drop("a"));
    create("one more");
  }

  @Test
  void manyAtOnceAreMadeOneAfterTheOther() {
    List<Completion<NamedSnapshot>> made = new ArrayList<>();
    for (String name : List.of("a", "b", "a", "c")) {
      store.store().namedSnapshots().create(name, made::add);
    }
    world.runUntil(() -> made.size() == 4);
    assertInstanceOf(Failure.AlreadyExists.class, refusal(made.get(2)));
    assertEquals(3, list().snapshots().size());
    List<Completion<Unit>> dropped = new ArrayList<>();
    store.store().namedSnapshots().drop("b", dropped::add);
    store.store().namedSnapshots().drop("b", dropped::add);
    world.runUntil(() -> dropped.size() == 2);
    assertInstanceOf(Failure.NotFound.class, refusal(dropped.getFirst()), "known at once");
    done(dropped.getLast());
  }

  /** What has no place is in the image of the checkpoint, and belongs to the snapshot. */
  @Test
  void contentThatHadNoPlaceIsReadFromTheImage() {
    List<StagedContent> staged = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      staged.add(store.stage(StoreFixture.bytes(i, 9000)));
    }
    List<Completion<NamedSnapshot>> made = new ArrayList<>();
    store.store().namedSnapshots().create("busy", made::add);
    for (int i = 0; i < staged.size(); i++) {
      store.put(200 + i, staged.get(i), completion -> {});
      world.dispatcher().turn(true);
    }
    world.runUntil(() -> !made.isEmpty());
    done(made.getFirst());
    staged.forEach(StagedContent::discard);
    for (int i = 0; i < 8; i++) {
      StoreTest.done(store.put(200 + i, SMALL));
    }
    overwriteAll();
    reopen();
    int found = 0;
    try (Snapshot snapshot = done(open("busy"))) {
      for (int i = 0; i < 8; i++) {
        long id = 200 + i;
        if (this.<PinnedContent>await(port -> snapshot.pin(file(id), StoreFixture.OWNER, port))
            instanceof Completion.Done<PinnedContent> done) {
          done.value().close();
          assertArrayEquals(StoreFixture.bytes(i, 9000), read(snapshot, id), "file " + i);
          found++;
        }
      }
    }
    assertTrue(found > 0, "nothing came before the freeze");
  }

  @Test
  void aFullVolumeRefusesOneAndDropsOne() {
    create("monday");
    overwriteAll();
    fill();
    assertInstanceOf(Failure.VolumeFull.class, refusal(tryCreate("tuesday")));
    StoreTest.done(drop("monday"));
    world.runUntilIdle();
    StoreTest.done(store.put(300, FIRST));
  }

  /** One damaged copy of what it holds is harmless, and verification tells. */
  @Test
  void aDamagedCopyOfWhatItHoldsIsFound() {
    world.closesUnchecked("what it held was damaged for a while");
    create("monday");
    create("tuesday");
    SnapshotRecord record = store.snapshotRecord("monday");
    long first = record.extents().getFirst().block();
    world.disk().contents().flipBit(first, 1000);
    world = world.reopen(world.disk().contents().fork());
    world.closesUnchecked("what it held was damaged for a while");
    store = StoreFixture.recovered(world);
    assertMoment("monday");
    assertEquals(1, problems(), "the first copy");
    world.disk().contents().flipBit(first, 1000);
    long second = record.extents().getLast().end() - 1;
    world.disk().contents().flipBit(second, 1000);
    assertEquals(1, problems(), "the second copy");
    world.disk().contents().flipBit(second, 1000);
  }

  /** Nobody knows what must not be handed out: only a store that hands nothing out can open. */
  @Test
  void withBothCopiesDamagedItCanOnlyBeRead() {
    world.closesUnchecked("what a snapshot holds is damaged");
    create("monday");
    overwriteAll();
    List<Extent> extents = store.snapshotRecord("monday").extents();
    world.<Unit>get(store.store()::close);
    DiskImage image = world.disk().contents().fork();
    flipBoth(image, extents);
    SimWorld damaged = world.reopen(image.fork());
    StoreOptions options = StoreFixture.tinyOptions(1);
    Completion<Store> opened =
        damaged.await(port -> Stores.open(damaged.dispatcher(), damaged.disk(), options, port));
    assertInstanceOf(Failure.Corrupt.class, refusal(opened));
    world = world.reopen(image.fork());
    store =
        StoreFixture.of(
            world,
            world.get(
                port -> Stores.open(world.dispatcher(), world.disk(), options.asReadOnly(), port)));
    assertMoment("monday");
    world.await(store.store()::close);
    flipBoth(image, extents);
    world = world.reopen(image);
    store = StoreFixture.recovered(world);
    assertMoment("monday");
  }

  private static void flipBoth(DiskImage image, List<Extent> extents) {
    long half = extents.stream().mapToLong(Extent::blocks).sum() / 2;
    image.flipBit(extents.getFirst().block(), 1000);
    image.flipBit(SnapshotRecord.run(extents, half, 1).block(), 1000);
  }

  private long problems() {
    VerifyReport report =
        world.get(
            port ->
                store
                    .store()
                    .verify(new VerifyOptions(/* readContent= */ true), (at, of) -> true, port));
    assertEquals(2, report.snapshots());
    return report.problemCount();
  }

  private void assertMoment(String name) {
    try (Snapshot snapshot = done(open(name))) {
      assertArrayEquals(FIRST, read(snapshot, 100));
      assertArrayEquals(SMALL, read(snapshot, 101));
      assertEquals(2, (long) world.<Long>get(port -> snapshot.query(COUNT, port)));
    }
  }

  public static final Query<Long> COUNT =
      view -> {
        long count = 0;
        for (View.Scan scan = view.from(StoreTree.INODES, new byte[0]); scan.next(); count++) {}
        return Completion.done(count);
      };

  private void overwriteAll() {
    StoreTest.done(store.put(100, StoreFixture.bytes(3, 310_000)));
    StoreTest.done(store.put(101, StoreFixture.bytes(4, 400)));
    StoreTest.done(store.put(102, StoreFixture.bytes(5, 70_000)));
    world.<Unit>get(store.store()::checkpoint);
    StoreTest.done(store.put(101, StoreFixture.bytes(4, 9000)));
    world.<Unit>get(store.store()::checkpoint);
  }

  /** Until nothing fits: every block that may be handed out is. */
  private void fill() {
    long id = 1000;
    while (store.put(id, StoreFixture.bytes(id, 200_000)) instanceof Completion.Done<Unit>) {
      id++;
    }
  }

  private void reopen() {
    world.<Unit>get(store.store()::close);
    world = world.reopen(world.disk().contents().fork());
    store = StoreFixture.open(world);
  }

  private NamedSnapshot create(String name) {
    return done(tryCreate(name));
  }

  private Completion<NamedSnapshot> tryCreate(String name) {
    return await(port -> store.store().namedSnapshots().create(name, port));
  }

  private NamedSnapshotList list() {
    return done(await(port -> store.store().namedSnapshots().list(port)));
  }

  private Completion<Snapshot> open(String name) {
    return await(port -> store.store().namedSnapshots().open(name, port));
  }

  private Completion<Unit> drop(String name) {
    return await(port -> store.store().namedSnapshots().drop(name, port));
  }

  private <T> Completion<T> await(java.util.function.Consumer<CompletionPort<T>> request) {
    Completion<T> completion = world.await(request);
    assertNotNull(completion);
    return completion;
  }

  private static <T> T done(Completion<T> completion) {
    return switch (completion) {
      case Completion.Done<T> done -> done.value();
      case Completion.Failed<T> failed -> throw new AssertionError(failed.failure().message());
    };
  }

  private static Failure refusal(Completion<?> completion) {
    return assertInstanceOf(Completion.Failed.class, completion).failure();
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
}
