package dev.upcall.io.volume;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Clock;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.threads.ThreadStore;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.volume.Epoch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two stores of threads on one file whose lock holds nobody. */
class OvertakenVolumeTest {
  private static final long BLOCKS = 2048;

  @TempDir Path folder;

  /** A clock that can be set forward: the machine slept. */
  private static final class Sleeper implements Clock {
    private final Clock clock = new SystemClock();
    private final AtomicLong sleptNanos = new AtomicLong();

    @Override
    public long monotonicNanos() {
      return clock.monotonicNanos() + sleptNanos.get();
    }

    @Override
    public long epochNanos() {
      return clock.epochNanos();
    }
  }

  /** A device that fails so many reads. */
  private record Blind(BlockDevice device, AtomicLong left) implements BlockDevice {
    @Override
    public Completion<Unit> perform(DiskRequest request) {
      return request instanceof DiskRequest.Read && left.getAndDecrement() > 0
          ? Completion.failed(new Failure.Device(name(), "unreadable"))
          : device.perform(request);
    }

    @Override
    public long sizeBlocks() {
      return device.sizeBlocks();
    }

    @Override
    public String name() {
      return device.name();
    }

    @Override
    public void close() {
      device.close();
    }
  }

  private Path volume() throws IOException {
    SimWorld world = SimWorld.ofBlocks(1, BLOCKS).closesUnchecked("it is only formatted");
    StoreFixture.format(world);
    Path path = folder.resolve("volume");
    byte[] bytes = new byte[(int) (world.disk().sizeBlocks() * Disk.BLOCK_BYTES)];
    world
        .disk()
        .contents()
        .forEachWritten(
            block ->
                System.arraycopy(
                    world.disk().contents().read(block),
                    0,
                    bytes,
                    (int) block * Disk.BLOCK_BYTES,
                    Disk.BLOCK_BYTES));
    return Files.write(path, bytes);
  }

  private static ThreadStore open(Path path, Clock clock) throws IOException {
    return open(path, clock, new AtomicLong());
  }

  private static ThreadStore open(Path path, Clock clock, AtomicLong blind) throws IOException {
    VolumeSpec spec = VolumeSpec.existing(path, DiskKind.CHANNEL);
    OpenVolume volume = done(new VolumeOpener(spec, (fd, shared, wait) -> 0).open());
    BlockDevice device = ChannelDevice.open(volume, ResultFilter.NONE);
    BlockDevice failing = new Blind(device, blind);
    return done(ThreadStore.open(failing, StoreFixture.tinyOptions(1), clock));
  }

  private static Completion<Unit> set(ThreadStore store, int key) {
    return store.change(
        SegmentChange.of(
            (view, out) -> {
              out.put(StoreTree.PROPERTIES, TreeKeys.of(key), TreeKeys.of(key));
              return Completion.done();
            }),
        Durability.SYNC);
  }

  private static boolean has(ThreadStore store, int key) {
    return done(
        store.look(
            view -> Completion.done(view.get(StoreTree.PROPERTIES, TreeKeys.of(key)) != null)));
  }

  private static <T> T done(Completion<T> completion) {
    return completion instanceof Completion.Done<T>(T value)
        ? value
        : org.junit.jupiter.api.Assertions.fail(completion.toString());
  }

  private static Failure failure(Completion<Unit> completion) {
    return ((Completion.Failed<?>) assertInstanceOf(Completion.Failed.class, completion)).failure();
  }

  @Test
  void aLookThatHasReadNoCopyIsMadeAgain() throws IOException {
    Path path = volume();
    Sleeper clock = new Sleeper();
    AtomicLong blind = new AtomicLong();
    ThreadStore first = open(path, clock, blind);
    done(set(first, 1));
    ThreadStore second = open(path, new SystemClock());
    done(second.close());
    byte[] left = Files.readAllBytes(path);
    clock.sleptNanos.addAndGet(Epoch.TRUST_NANOS + 1);
    blind.set(Epoch.LOOKED_AT.size());

    failure(set(first, 2));
    failure(first.close());
    assertArrayEquals(left, Files.readAllBytes(path));
  }

  @Test
  void whoWakesUpBehindAnotherWritesNothing() throws IOException {
    Path path = volume();
    Sleeper clock = new Sleeper();
    ThreadStore first = open(path, clock);
    done(set(first, 1));
    ThreadStore second = open(path, new SystemClock());
    done(set(second, 2));
    done(second.close());
    byte[] left = Files.readAllBytes(path);
    clock.sleptNanos.addAndGet(Epoch.TRUST_NANOS + 1);

    String why = failure(set(first, 3)).message();
    assertTrue(why.contains(", here it is 2; nothing more is written"), why);
    String then = assertInstanceOf(Failure.ReadOnly.class, failure(set(first, 4))).message();
    assertTrue(then.contains(", here it is 2; nothing more is written"), then);
    assertTrue(has(first, 1));
    failure(first.close());
    assertArrayEquals(left, Files.readAllBytes(path));

    ThreadStore third = open(path, new SystemClock());
    assertTrue(has(third, 1));
    assertTrue(has(third, 2));
    assertFalse(has(third, 3));
    done(third.close());
  }
}
