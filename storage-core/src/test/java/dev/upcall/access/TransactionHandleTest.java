package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.StagedContent;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Query;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Ranges written inside transactions. */
class TransactionHandleTest {
  private static final long ID = 200;
  private static final int FILES = 3;
  private static final int LARGE = 700_000;

  private SimWorld world = SimWorld.ofBlocks(1, 4096);
  private StoreFixture store = made(world);

  private static StoreFixture made(SimWorld world) {
    StoreFixture.format(world);
    return StoreFixture.open(world);
  }

  private void end() {
    assertEquals(0, store.store().metrics().transactions().open());
    assertEquals(0, store.store().metrics().transactions().locks().held());
    store.end();
  }

  // ------------------------------------------------------------------ room

  /** What is flushed many times is one page and one block to write, not as many. */
  @Test
  void manyFlushesOfOneFileFitWhereOneDoes() {
    world = new SimWorld(1, SimDiskConfig.ofBlocks(0).withCapacity(548));
    store = made(world);
    byte[] bytes = StoreFixture.bytes(1, 100_000);
    store.put(ID, bytes);
    Transaction transaction = begin();
    SegmentHandle handle =
        world.get(
            port ->
                Segments.open(
                    store.store(), transaction, Segments.Target.of(ID), StoreFixture.OWNER, port));
    for (int i = 0; i < 100; i++) {
      bytes[i] = 0;
      int at = i;
      world.<Unit>get(port -> handle.write(at, ByteBuffer.wrap(new byte[1]), port));
      world.<Unit>get(handle::flush);
    }
    world.<Unit>get(handle::close);
    world.<Long>get(port -> transaction.commit(Durability.SYNC, port));
    assertArrayEquals(bytes, store.read(ID));
    end();
  }

  // ------------------------------------------------------------------ by chance

  @Test
  void randomRangesAreAsTheModelSaysAlsoAfterCrashes() {
    for (long seed = 1; seed <= 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      world = SimWorld.ofBlocks(seed, 4096);
      store = made(world);
      Map<Long, byte[]> model = new HashMap<>();
      for (long id = ID; id < ID + FILES; id++) {
        int size = (id == ID ? LARGE : 0) + random.nextInt(9000);
        byte[] bytes = StoreFixture.bytes(id + seed, size);
        store.put(id, bytes);
        model.put(id, bytes);
      }
      for (int life = 0; life < 2; life++) {
        for (int i = 0; i < 4; i++) {
          model = transaction(seed, model, random);
        }
        world = world.crashAndReopen();
        store = StoreFixture.open(world);
        for (Map.Entry<Long, byte[]> file : model.entrySet()) {
          assertArrayEquals(file.getValue(), store.read(file.getKey()), "seed " + seed);
        }
      }
      end();
    }
  }

  /** What the files are afterwards. */
  private Map<Long, byte[]> transaction(
      long seed, Map<Long, byte[]> before, SplittableRandom random) {
    Map<Long, byte[]> own = new HashMap<>(before);
    Transaction transaction = begin();
    for (int left = random.nextInt(8); left > 0; left--) {
      long id = ID + random.nextInt(FILES);
      switch (random.nextInt(8)) {
        case 0 -> {
          byte[] whole = StoreFixture.bytes(random.nextLong(), random.nextInt(100_000));
          if (put(transaction, id, whole)) {
            own.put(id, whole);
          }
        }
        case 1 -> {
          long to = ID + (id - ID + 1) % FILES;
          if (cloneOf(transaction, id, to)) {
            own.put(to, own.get(id));
          }
        }
        case 2 -> world.<Unit>get(store.store()::checkpoint);
        default -> own.put(id, ranges(transaction, id, own.get(id), random));
      }
      byte[] read = read(transaction, id);
      assertArrayEquals(own.get(id), read, "seed " + seed);
    }
    if (random.nextInt(4) == 0) {
      transaction.rollback();
      own = before;
    } else {
      commit(transaction);
    }
    for (long id = ID; id < ID + FILES; id++) {
      assertArrayEquals(own.get(id), store.read(id), "seed " + seed);
    }
    return own;
  }

  private byte[] ranges(Transaction transaction, long id, byte[] before, SplittableRandom random) {
    SegmentHandle handle = open(transaction, id);
    byte[] now = before;
    byte[] flushed = before;
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      int length = random.nextInt(8) == 0 ? random.nextInt(120_000) : random.nextInt(6000);
      ByteBuffer bytes = ByteBuffer.wrap(StoreFixture.bytes(random.nextLong(), 1 + length));
      switch (random.nextInt(5)) {
        case 0 -> {
          int size = random.nextInt(now.length + 10_000);
          done(port -> handle.truncate(size, port));
          now = Arrays.copyOf(now, size);
        }
        case 1 -> {
          now = laid(now, now.length, bytes.array());
          done(port -> handle.append(bytes, port));
        }
        case 2 -> {
          if (!fits(handle::flush)) {
            handle.abandon();
            return flushed;
          }
          flushed = now;
        }
        default -> {
          int offset = random.nextInt(now.length + 9000);
          now = laid(now, offset, bytes.array());
          done(port -> handle.write(offset, bytes, port));
        }
      }
    }
    if (!fits(handle::close)) {
      handle.abandon();
      return flushed;
    }
    return now;
  }

  /** Whether it fits into the transaction's record. */
  private boolean fits(Consumer<CompletionPort<Unit>> request) {
    Completion<Unit> completion = world.await(request);
    if (completion instanceof Completion.Failed<Unit>(Failure failure)) {
      assertInstanceOf(Failure.TooLarge.class, failure);
    }
    return completion instanceof Completion.Done<Unit>;
  }

  private static byte[] laid(byte[] before, int offset, byte[] bytes) {
    byte[] after = Arrays.copyOf(before, Math.max(before.length, offset + bytes.length));
    System.arraycopy(bytes, 0, after, offset, bytes.length);
    return after;
  }

  // ------------------------------------------------------------------ one by one

  @Test
  void isSeenByTheTransactionAloneUntilTheCommit() {
    byte[] content = StoreFixture.bytes(1, 20_000);
    store.put(ID, content);
    Transaction transaction = begin();
    write(transaction, ID, 5_000, new byte[100]);
    byte[] own = laid(content, 5_000, new byte[100]);
    assertArrayEquals(own, read(transaction, ID));
    assertArrayEquals(content, store.read(ID));
    commit(transaction);
    assertArrayEquals(own, store.read(ID));
    end();
  }

  @Test
  void rolledBackItLeavesNothing() {
    byte[] content = StoreFixture.bytes(1, LARGE);
    store.put(ID, content);
    world.<Unit>get(store.store()::checkpoint);
    long free = store.store().info().freeBytes();
    Transaction transaction = begin();
    write(transaction, ID, 5_000, new byte[100]);
    write(transaction, ID, 100_000, new byte[300_000]);
    SegmentHandle unflushed = open(transaction, ID);
    done(port -> unflushed.write(0, ByteBuffer.wrap(new byte[200_000]), port));
    transaction.rollback();
    assertTrue(unflushed.isDirty());
    unflushed.abandon();
    assertFalse(unflushed.isDirty());
    assertArrayEquals(content, store.read(ID));
    assertEquals(free, store.store().info().freeBytes());
    end();
  }

  /** Content of large files that the store has placed since is found by the commit where it is. */
  @Test
  void theStoreMayPlaceContentBetweenAWriteAndTheCommit() {
    byte[] content = StoreFixture.bytes(1, LARGE);
    store.put(ID, content);
    assertInstanceOf(Layout.Indexed.class, layout(store.store(), ID));
    byte[] patch = StoreFixture.bytes(2, 5000);
    SegmentHandle alone =
        world.get(
            port -> Segments.open(store.store(), Segments.Target.of(ID), StoreFixture.OWNER, port));
    done(port -> alone.write(600_000, ByteBuffer.wrap(patch), port));
    done(alone::close);
    content = laid(content, 600_000, patch);

    Transaction transaction = begin();
    byte[] first = StoreFixture.bytes(3, 200_000);
    write(transaction, ID, 10_000, first);
    assertTrue(cloneOf(transaction, ID, ID + 1));
    byte[] second = StoreFixture.bytes(4, 200_000);
    write(transaction, ID, 100_000, second);
    PinnedContent pinned = pin(transaction, ID);
    Layout before = layout(store.store(), ID);
    world.<Unit>get(store.store()::checkpoint);
    assertFalse(before.equals(layout(store.store(), ID)));
    commit(transaction);

    byte[] clone = laid(content, 10_000, first);
    byte[] own = laid(clone, 100_000, second);
    assertArrayEquals(clone, store.read(ID + 1));
    assertArrayEquals(own, store.read(ID));
    store.put(ID + 2, StoreFixture.bytes(5, LARGE));
    assertArrayEquals(own, read(pinned));
    pinned.close();
    end();
  }

  @Test
  void whoeverChangedTheFileFirstWins() {
    store.put(ID, new byte[10_000]);
    Transaction transaction = begin();
    SegmentHandle handle = open(transaction, ID);
    done(port -> handle.append(ByteBuffer.wrap(new byte[10]), port));
    store.put(ID, new byte[20_000]);
    assertInstanceOf(Failure.Conflict.class, failure(handle::flush));
    assertInstanceOf(Failure.Conflict.class, failure(handle::flush));
    handle.abandon();
    assertArrayEquals(new byte[20_000], store.read(ID));
    end();
  }

  @Test
  void whatIsRefusedStaysInTheHandle() {
    store.put(ID, new byte[10_000]);
    Transaction other = begin();
    write(other, ID, 0, new byte[] {1});
    Transaction transaction = begin();
    SegmentHandle small = open(transaction, ID);
    done(port -> small.write(5000, ByteBuffer.wrap(new byte[] {2}), port));
    assertInstanceOf(Failure.LockTimeout.class, failure(small::flush));
    SegmentHandle large = open(transaction, ID);
    byte[] much = StoreFixture.bytes(1, 300_000);
    done(port -> large.write(0, ByteBuffer.wrap(much), port));
    assertInstanceOf(Failure.LockTimeout.class, failure(large::flush));
    other.rollback();
    done(large::flush);
    done(small::close);
    // What was placed is merged with what the file was before that.
    done(port -> large.write(0, ByteBuffer.wrap(much), port));
    write(transaction, ID, 6000, new byte[] {3});
    assertInstanceOf(Failure.Invalid.class, failure(large::flush));
    large.abandon();
    byte[] own = laid(laid(much, 5000, new byte[] {2}), 6000, new byte[] {3});
    assertArrayEquals(own, read(transaction, ID));
    commit(transaction);
    assertArrayEquals(own, store.read(ID));
    end();
  }

  @Test
  void manySmallWritesArePlacedWhenMemoryOrTheRecordEnds() {
    store.put(ID, new byte[10_000]);
    Transaction transaction = begin();
    SegmentHandle handle = open(transaction, ID);
    int flushed = 0;
    Failure refused = null;
    while (refused == null) {
      int at = flushed * 4096;
      done(port -> handle.write(at, ByteBuffer.wrap(new byte[] {1}), port));
      Completion<Unit> completion = world.await(handle::flush);
      refused = completion instanceof Completion.Failed<Unit>(Failure why) ? why : null;
      flushed++;
      assertTrue(flushed < 1000, "unbounded");
    }
    assertInstanceOf(Failure.TooLarge.class, refused);
    handle.abandon();
    byte[] read = read(transaction, ID);
    for (int i = 0; i < flushed - 1; i++) {
      assertEquals(1, read[i * 4096]);
    }
    transaction.rollback();
    end();
  }

  // ------------------------------------------------------------------ requests

  private Transaction begin() {
    return world.get(store.store()::begin);
  }

  private SegmentHandle open(Transaction transaction, long id) {
    return world.get(
        port ->
            Segments.open(
                store.store(), transaction, Segments.Target.of(id), StoreFixture.OWNER, port));
  }

  private void write(Transaction transaction, long id, long offset, byte[] bytes) {
    SegmentHandle handle = open(transaction, id);
    done(port -> handle.write(offset, ByteBuffer.wrap(bytes), port));
    done(handle::close);
  }

  private boolean put(Transaction transaction, long id, byte[] bytes) {
    StagedContent staged = Objects.requireNonNull(store.stage(bytes));
    return fits(
        port ->
            transaction.change(
                new TransactionStep<Unit>(
                    "put",
                    (view, out) -> {
                      Inode old = Objects.requireNonNull(view.inode(id));
                      out.putInode(old.touched(1), staged);
                      return Completion.done();
                    },
                    List.of(staged)),
                port));
  }

  private boolean cloneOf(Transaction transaction, long from, long to) {
    return fits(
        port ->
            transaction.change(
                new TransactionStep<Unit>(
                    "clone",
                    (view, out) -> {
                      Inode old = view.inode(to);
                      out.putClone(old == null ? StoreFixture.file(to) : old.touched(1), from);
                      return Completion.done();
                    },
                    List.of()),
                port));
  }

  private void commit(Transaction transaction) {
    world.<Long>get(port -> transaction.commit(Durability.SYNC, port));
  }

  private PinnedContent pin(Transaction transaction, long id) {
    Query<Inode> which = view -> Completion.done(Objects.requireNonNull(view.inode(id)));
    return world.get(port -> transaction.pin(which, StoreFixture.OWNER, port));
  }

  private Layout layout(ReadSource reading, long id) {
    return world.get(
        port ->
            reading.<Layout>query(
                view -> Completion.done(Objects.requireNonNull(view.inode(id)).layout()), port));
  }

  private byte[] read(Transaction transaction, long id) {
    try (PinnedContent content = pin(transaction, id)) {
      return read(content);
    }
  }

  private byte[] read(PinnedContent content) {
    byte[] bytes = new byte[(int) content.inode().size()];
    int at = 0;
    while (at < bytes.length) {
      int offset = at;
      ContentSlice slice =
          world.get(port -> content.read(offset, 1 << 20, IoClass.FOREGROUND_READ, port));
      for (ByteBuffer buffer : slice.buffers()) {
        int length = buffer.remaining();
        buffer.duplicate().get(bytes, at, length);
        at += length;
      }
      slice.release();
    }
    return bytes;
  }

  private void done(Consumer<CompletionPort<Unit>> request) {
    Completion<Unit> completion = world.await(request);
    if (completion instanceof Completion.Failed<Unit>(Failure failure)) {
      throw new AssertionError(failure.toString());
    }
    assertInstanceOf(Completion.Done.class, completion);
  }

  private Failure failure(Consumer<CompletionPort<Unit>> request) {
    Completion<Unit> completion = world.await(request);
    return assertInstanceOf(Completion.Failed.class, completion).failure();
  }
}
