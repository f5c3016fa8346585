package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the simulator's clones do by chance, one by one. */
class CloneTest {
  private static final int LARGE = 1_000_000;

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

  private Completion<Unit> cloneOf(long from, long to) {
    return world.await(
        port ->
            store
                .store()
                .change(
                    (view, out) -> {
                      Inode old = view.inode(to);
                      out.putClone(old == null ? StoreFixture.file(to) : old.touched(1), from);
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
  }

  private void checkpoint() {
    world.<Unit>get(store.store()::checkpoint);
  }

  private VerifyReport report() {
    return world.get(port -> store.store().verify(new VerifyOptions(true), (at, of) -> true, port));
  }

  private Layout layout(long id) {
    return world.get(
        port -> store.store().query(view -> Completion.done(view.inode(id).layout()), port));
  }

  /** Inline, unplaced, in the inode's extents, in a tree; changed on either side, over a crash. */
  @ParameterizedTest
  @ValueSource(ints = {0, 60, 5_000, 60_000, 200_000, LARGE})
  void bothSidesGoTheirWay(int size) {
    byte[] content = StoreFixture.bytes(1, size);
    byte[] other = StoreFixture.bytes(2, size + 10);
    for (boolean placed : new boolean[] {false, true}) {
      StoreTest.done(store.put(100, content));
      if (placed) {
        checkpoint();
      }
      StoreTest.done(cloneOf(100, 101));
      StoreTest.done(cloneOf(101, 102));
      assertArrayEquals(content, store.read(102));
      StoreTest.done(store.put(100, other));
      assertArrayEquals(content, store.read(101));
      assertArrayEquals(other, store.read(100));
      world = world.crashAndReopen();
      store = StoreFixture.open(world);
      assertArrayEquals(other, store.read(100));
      assertArrayEquals(content, store.read(101));
      StoreTest.done(store.remove(101));
      checkpoint();
      store.verify();
      assertArrayEquals(content, store.read(102));
      StoreTest.done(store.remove(100));
      StoreTest.done(store.remove(102));
    }
  }

  @Test
  void aLargeCloneCostsNoContentAndItsSpaceComesBackWithTheLastUser() {
    StoreTest.done(store.put(100, StoreFixture.bytes(1, LARGE)));
    VerifyReport before = report();
    long logged = store.store().metrics().log().blocks();
    StoreTest.done(cloneOf(100, 101));
    long record = store.store().metrics().log().blocks() - logged;
    assertTrue(record <= 2, "a record and a mark, but were " + record);
    VerifyReport shared = report();
    assertEquals(before.contentBlocks(), shared.contentBlocks());
    assertEquals(2, shared.sharedBlocks(), "the root of the extent tree, twice");
    StoreTest.done(store.remove(100));
    world.runUntilIdle();
    VerifyReport one = report();
    assertEquals(before.contentBlocks(), one.contentBlocks());
    assertEquals(0, one.sharedBlocks());
    assertArrayEquals(StoreFixture.bytes(1, LARGE), store.read(101));
    StoreTest.done(store.remove(101));
    world.runUntilIdle();
    assertEquals(0, report().contentBlocks());
  }

  @Test
  void aChangeOfALargeCloneSharesAllTheRest() {
    byte[] content = StoreFixture.bytes(1, LARGE);
    StoreTest.done(store.put(100, content));
    StoreTest.done(cloneOf(100, 101));
    long before = report().contentBlocks();
    byte[] patch = StoreFixture.bytes(2, 9000);
    write(101, 500_000, patch);
    checkpoint();
    VerifyReport after = report();
    assertTrue(after.contentBlocks() <= before + 4, after.toString());
    assertArrayEquals(content, store.read(100));
    System.arraycopy(patch, 0, content, 500_000, patch.length);
    assertArrayEquals(content, store.read(101));
  }

  private void write(long id, long offset, byte[] bytes) {
    SegmentHandle handle = handle(id);
    done(port -> handle.write(offset, ByteBuffer.wrap(bytes), port));
    done(handle::close);
  }

  private SegmentHandle handle(long id) {
    return world.get(
        port -> Segments.open(store.store(), Segments.Target.of(id), StoreFixture.OWNER, port));
  }

  private void done(java.util.function.Consumer<CompletionPort<Unit>> request) {
    StoreTest.done(world.await(request));
  }

  /**
   * Write-back's edit of a large layout began before the clone was made, and is committed after.
   */
  @Test
  void anEditThatWasUnderWayIsCountedAsItIsThen() {
    for (int steps = 0; steps < 40; steps++) {
      long from = 200 + 2L * steps;
      byte[] content = StoreFixture.bytes(steps, 700_000);
      StoreTest.done(store.put(from, content));
      assertInstanceOf(Layout.Indexed.class, layout(from));
      byte[] patch = StoreFixture.bytes(7, 100);
      write(from, 100_000, patch);
      System.arraycopy(patch, 0, content, 100_000, patch.length);
      boolean[] over = {false};
      store.store().checkpoint(completion -> over[0] = true);
      long stop = world.disk().steps() + steps;
      world.runUntil(() -> over[0] || world.disk().steps() >= stop);
      StoreTest.done(cloneOf(from, from + 1));
      world.runUntil(() -> over[0]);
      store.verify();
      assertArrayEquals(content, store.read(from));
      assertArrayEquals(content, store.read(from + 1));
      StoreTest.done(store.remove(from));
      checkpoint();
      store.verify();
      StoreTest.done(store.remove(from + 1));
    }
  }

  @Test
  void contentOfTheSameChangeIsCloned() {
    for (int size : new int[] {30, 20_000, 300_000}) {
      byte[] content = StoreFixture.bytes(size, size);
      StagedContent staged = Objects.requireNonNull(store.stage(content));
      StoreTest.done(
          world.<Unit>await(
              port ->
                  store
                      .store()
                      .change(
                          (view, out) -> {
                            out.putInode(StoreFixture.file(300), staged);
                            out.putClone(StoreFixture.file(301), 300);
                            out.putClone(StoreFixture.file(302), 301);
                            return Completion.done();
                          },
                          Durability.SYNC,
                          port)));
      world = world.crashAndReopen();
      store = StoreFixture.open(world);
      for (long id = 300; id <= 302; id++) {
        assertArrayEquals(content, store.read(id));
        StoreTest.done(store.remove(id));
      }
    }
  }

  @Test
  void tooManyClonesOfSmallContentOfTheSameChangeAreRefused() {
    StagedContent staged = Objects.requireNonNull(store.stage(StoreFixture.bytes(1, 60_000)));
    Completion<Unit> refused =
        world.await(
            port ->
                store
                    .store()
                    .change(
                        (view, out) -> {
                          out.putInode(StoreFixture.file(300), staged);
                          for (long id = 301; id < 1000; id++) {
                            out.putClone(StoreFixture.file(id), 300);
                          }
                          return Completion.done();
                        },
                        Durability.SYNC,
                        port));
    staged.discard();
    assertInstanceOf(
        Failure.TooLarge.class, assertInstanceOf(Completion.Failed.class, refused).failure());
  }

  /** Clones of what has no place yet wait rather than that more is unplaced than memory holds. */
  @Test
  void manyClonesOfUnplacedContentWaitForPlaces() {
    byte[] content = StoreFixture.bytes(1, 60_000);
    StoreTest.done(store.put(100, content));
    int[] answered = {0};
    for (long id = 101; id < 201; id++) {
      long to = id;
      store
          .store()
          .<Unit>change(
              (view, out) -> {
                out.putClone(StoreFixture.file(to), 100);
                return Completion.done();
              },
              Durability.SYNC,
              completion -> {
                StoreTest.done(completion);
                answered[0]++;
              });
    }
    world.runUntil(() -> answered[0] == 100);
    world = world.crashAndReopen();
    store = StoreFixture.open(world);
    for (long id = 100; id < 201; id++) {
      assertArrayEquals(content, store.read(id));
    }
  }

  /**
   * A clone of a few extents, changed in the middle, is removed: what both use is told apart piece
   * by piece in the background, over a crash at any moment of that.
   */
  @Test
  void contentInSeveralPiecesIsGivenBackPieceByPiece() {
    byte[] content = StoreFixture.bytes(1, 200_000);
    StoreTest.done(store.put(100, content));
    checkpoint();
    long alone = report().contentBlocks();
    TreeSet<Long> left = new TreeSet<>();
    for (int steps = 0; steps < 60; steps++) {
      StoreTest.done(cloneOf(100, 101));
      write(101, 80_000, StoreFixture.bytes(2, 9000));
      checkpoint();
      assertEquals(3, ((Layout.Extents) layout(101)).entries().size());
      assertEquals(1, orphansRightAfterRemoving(101));
      boolean[] over = {false};
      store.store().checkpoint(completion -> over[0] = true);
      long stop = world.disk().steps() + steps;
      world.runUntil(() -> over[0] || world.disk().steps() >= stop);
      world = world.crashAndReopen();
      left.add(orphansOnDisk());
      store = StoreFixture.open(world);
      StoreTest.done(store.remove(101)); // when the crash came first
      world.runUntilIdle();
      VerifyReport after = report();
      assertEquals(alone, after.contentBlocks(), after::toString);
      assertEquals(0, after.sharedBlocks() + after.orphans(), after::toString);
      assertArrayEquals(content, store.read(100));
    }
    assertEquals(Set.of(0L, 1L), left);
  }

  /** Nobody shares it, so nothing has to be counted, although something else is shared. */
  @Test
  void contentInSeveralPiecesOfOneFileIsGivenBackAtOnce() {
    StoreTest.done(store.put(100, StoreFixture.bytes(1, 5000)));
    StoreTest.done(store.put(102, StoreFixture.bytes(2, 200_000)));
    checkpoint();
    StoreTest.done(cloneOf(100, 101));
    write(102, 80_000, StoreFixture.bytes(3, 9000));
    checkpoint();
    assertEquals(3, ((Layout.Extents) layout(102)).entries().size());
    assertEquals(0, orphansRightAfterRemoving(102));
    assertEquals(2, report().contentBlocks());
  }

  /** How many orphans there are as soon as the removal is part of the state. */
  private long orphansRightAfterRemoving(long id) {
    List<Completion<Long>> seen = new ArrayList<>();
    store
        .store()
        .<Unit>change(
            (view, out) -> {
              out.removeSegment(view.inode(id));
              return Completion.done();
            },
            Durability.SYNC,
            StoreTest::done);
    store.store().query(CloneTest::orphans, seen::add); // the upcall after the change's
    world.runUntil(() -> !seen.isEmpty());
    return ((Completion.Done<Long>) seen.getFirst()).value();
  }

  private static Completion<Long> orphans(View view) {
    View.Scan scan = view.from(StoreTree.ORPHANS, new byte[0]);
    long orphans = 0;
    while (scan.next()) {
      orphans++;
    }
    return Completion.done(orphans);
  }

  /** Verifies the last durable checkpoint. */
  private long orphansOnDisk() {
    SimWorld aside =
        world.reopen(world.disk().contents().fork()).closesUnchecked("nothing was changed");
    StoreOptions options = StoreFixture.tinyOptions(world.seed()).asReadOnly();
    Store only = aside.get(port -> Stores.open(aside.dispatcher(), aside.disk(), options, port));
    VerifyReport report =
        aside.get(port -> only.verify(new VerifyOptions(true), (at, of) -> true, port));
    assertTrue(report.isSound(), report::toString);
    aside.<Unit>get(only::close);
    return report.orphans();
  }

  /** Deep trees, cut, overwritten, cloned again and taken apart, against a model. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void clonesOfClonesAreAsTheModelSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TreeMap<Long, byte[]> model = new TreeMap<>();
    for (int i = 0; i < 120; i++) {
      long id = 100 + random.nextInt(6);
      byte[] old = model.get(id);
      switch (random.nextInt(8)) {
        case 0 -> {
          byte[] content = StoreFixture.bytes(random.nextLong(), random.nextInt(700_000));
          if (store.put(id, content) instanceof Completion.Done<Unit>) {
            model.put(id, content);
          }
        }
        case 1, 2, 3 -> {
          long to = 100 + random.nextInt(6);
          if (old != null && to != id && cloneOf(id, to) instanceof Completion.Done<Unit>) {
            model.put(to, old);
          }
        }
        case 4 -> {
          if (old != null && store.remove(id) instanceof Completion.Done<Unit>) {
            model.remove(id);
          }
        }
        case 5 -> checkpoint();
        default -> {
          if (old != null) {
            model.put(id, edited(id, old, random));
          }
        }
      }
      if (i % 10 == 9) {
        if (random.nextInt(3) == 0) {
          world = world.crashAndReopen();
          store = StoreFixture.open(world);
        }
        store.verify();
        model.forEach(
            (each, content) ->
                assertArrayEquals(content, store.read(each), "seed " + seed + ", file " + each));
      }
    }
    List.copyOf(model.keySet()).forEach(id -> StoreTest.done(store.remove(id)));
    world.runUntilIdle();
    VerifyReport end = report();
    assertEquals(0, end.contentBlocks(), end::toString);
    assertEquals(0, end.sharedBlocks(), end::toString);
  }

  private byte[] edited(long id, byte[] old, SplittableRandom random) {
    SegmentHandle handle = handle(id);
    byte[] now = old;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      if (random.nextInt(3) == 0) {
        int size = random.nextInt(now.length + 20_000);
        done(port -> handle.truncate(size, port));
        now = Arrays.copyOf(now, size);
      } else {
        int offset = random.nextInt(now.length + 1);
        byte[] bytes = StoreFixture.bytes(random.nextLong(), 1 + random.nextInt(150_000));
        done(port -> handle.write(offset, ByteBuffer.wrap(bytes), port));
        now = Arrays.copyOf(now, Math.max(now.length, offset + bytes.length));
        System.arraycopy(bytes, 0, now, offset, bytes.length);
      }
    }
    done(handle::close);
    return now;
  }
}
