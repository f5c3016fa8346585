package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SegmentHandleTest {
  private static final long ID = 200;

  @Test
  void randomWritesAreAsTheModelSaysAlsoAfterCrashes() {
    for (long seed = 1; seed <= 40; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SimWorld world = SimWorld.ofBlocks(seed, 4096);
      StoreFixture.format(world);
      StoreFixture store = StoreFixture.open(world);
      byte[] model = StoreFixture.bytes(seed, random.nextInt(20_000));
      store.put(ID, model);
      for (int life = 0; life < 3; life++) {
        SegmentHandle handle = open(store);
        byte[] pending = model;
        for (int i = 0; i < 12; i++) {
          pending = change(store, handle, pending, random);
          assertEquals(pending.length, handle.sizeBytes());
          if (random.nextInt(3) == 0) {
            done(store, handle::flush);
            model = pending;
            assertArrayEquals(model, store.read(ID), "seed " + seed);
          }
        }
        if (random.nextBoolean()) {
          done(store, handle::close);
          model = pending;
        } else {
          handle.abandon();
        }
        assertArrayEquals(model, store.read(ID), "seed " + seed);
        world = world.crashAndReopen();
        store = StoreFixture.open(world);
        assertArrayEquals(model, store.read(ID), "seed " + seed + " after a crash");
      }
      assertInstanceOf(Completion.Done.class, store.close());
    }
  }

  private static byte[] change(
      StoreFixture store, SegmentHandle handle, byte[] before, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> {
        int size = random.nextInt(before.length + 10_000);
        done(store, port -> handle.truncate(size, port));
        return Arrays.copyOf(before, size);
      }
      case 1 -> {
        byte[] bytes = StoreFixture.bytes(random.nextLong(), length(random));
        done(store, port -> handle.append(ByteBuffer.wrap(bytes), port));
        byte[] after = Arrays.copyOf(before, before.length + bytes.length);
        System.arraycopy(bytes, 0, after, before.length, bytes.length);
        return after;
      }
      default -> {
        byte[] bytes = StoreFixture.bytes(random.nextLong(), length(random));
        int offset = random.nextInt(before.length + 9000);
        done(store, port -> handle.write(offset, ByteBuffer.wrap(bytes), port));
        byte[] after = Arrays.copyOf(before, Math.max(before.length, offset + bytes.length));
        System.arraycopy(bytes, 0, after, offset, bytes.length);
        return after;
      }
    }
  }

  private static int length(SplittableRandom random) {
    return random.nextInt(10) == 0 ? random.nextInt(200_000) + 1 : random.nextInt(6000) + 1;
  }

  @Test
  void twoHandlesBothAppend() {
    SimWorld world = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    store.put(ID, new byte[] {1});
    SegmentHandle first = open(store);
    SegmentHandle second = open(store);
    done(store, port -> first.append(ByteBuffer.wrap(new byte[] {2}), port));
    done(store, port -> second.append(ByteBuffer.wrap(new byte[] {3}), port));
    done(store, second::close);
    done(store, first::close);
    assertArrayEquals(new byte[] {1, 3, 2}, store.read(ID));
    assertInstanceOf(Completion.Done.class, store.close());
  }

  /** What a handle collected is done again, in order, on what another one has committed. */
  @Test
  void aTruncationIsMergedToo() {
    SimWorld world = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    byte[] old = StoreFixture.bytes(1, 9000);
    store.put(ID, old);
    SegmentHandle first = open(store);
    SegmentHandle second = open(store);
    done(store, port -> first.truncate(100, port));
    done(store, port -> first.append(ByteBuffer.wrap(new byte[] {1, 2, 3}), port));
    done(store, port -> second.write(50, ByteBuffer.wrap(new byte[] {9}), port));
    done(store, port -> second.append(ByteBuffer.wrap(new byte[5000]), port));
    done(store, second::close);
    done(store, first::close);
    byte[] expected = Arrays.copyOf(old, 103);
    expected[50] = 9;
    System.arraycopy(new byte[] {1, 2, 3}, 0, expected, 100, 3);
    assertArrayEquals(expected, store.read(ID));
    assertInstanceOf(Completion.Done.class, store.close());
  }

  @Test
  void whatALargeFileHasNotPlacedIsCutOffAsWell() {
    SimWorld world = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    byte[] placed = StoreFixture.bytes(1, 700_416);
    store.put(ID, placed);
    SegmentHandle handle = open(store);
    done(store, port -> handle.append(ByteBuffer.wrap(new byte[3]), port));
    done(store, handle::flush);
    done(store, port -> handle.truncate(placed.length, port));
    done(store, handle::close);
    assertArrayEquals(placed, store.read(ID));
    store.end();
  }

  /** Blocks that a handle placed, read and gave up must not be found where others write next. */
  @Test
  void whatWasGivenUpIsNotReadAgain() {
    SimWorld world = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    store.put(ID, new byte[0]);
    SegmentHandle handle = open(store);
    done(store, port -> handle.write(0, ByteBuffer.wrap(StoreFixture.bytes(1, 1_500_000)), port));
    for (int at = 100; at < 1_000_000; at += 40_000) {
      int offset = at;
      done(store, port -> handle.write(offset, ByteBuffer.wrap(new byte[1]), port));
    }
    handle.abandon();
    byte[] next = StoreFixture.bytes(2, 1_500_000);
    store.put(ID + 1, next);
    assertArrayEquals(next, store.read(ID + 1));
    assertInstanceOf(Completion.Done.class, store.close());
  }

  @Test
  void aHandleOfARemovedSegmentSaysSo() {
    SimWorld world = SimWorld.ofBlocks(1, 4096);
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    store.put(ID, new byte[10_000]);
    SegmentHandle handle = open(store);
    done(store, port -> handle.append(ByteBuffer.wrap(new byte[10]), port));
    store.remove(ID);
    Completion<Unit> closed = world.await(handle::close);
    assertInstanceOf(
        Failure.NotFound.class, assertInstanceOf(Completion.Failed.class, closed).failure());
    handle.abandon();
    assertInstanceOf(Completion.Done.class, store.close());
  }

  private static SegmentHandle open(StoreFixture store) {
    return store
        .world()
        .get(
            port -> Segments.open(store.store(), Segments.Target.of(ID), StoreFixture.OWNER, port));
  }

  private static void done(StoreFixture store, Consumer<CompletionPort<Unit>> request) {
    Completion<Unit> completion = store.world().await(request);
    if (completion instanceof Completion.Failed<Unit> failed) {
      throw new AssertionError(failed.failure().message());
    }
    assertInstanceOf(Completion.Done.class, completion);
  }
}
