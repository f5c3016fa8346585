package dev.upcall.txn.snapshot;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMapConfig;
import dev.upcall.space.SnapshotBlocks;
import dev.upcall.txn.state.SnapshotRecord;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads the stored bits of a snapshot: each block from the first copy, or else the second. */
public final class SnapshotBits {
  private static final int BLOCKS_PER_READ = 16;

  /** Hears how a reading goes on. */
  @FunctionalInterface
  public interface Listener {
    /** A chunk is known. */
    void known(int chunk);

    /** A block of the first copy is not what it should be. */
    default void damaged(long block) {}
  }

  private final Disk disk;
  private final SnapshotRecord record;
  private final SnapshotBlocks blocks;
  private final Listener listener;
  private final CompletionPort<Unit> port;
  private final ByteBuffer buffer = Disk.newBuffer(BLOCKS_PER_READ * Disk.BLOCK_BYTES);
  private long digest;

  private SnapshotBits(
      Disk disk,
      SnapshotRecord record,
      SnapshotBlocks blocks,
      Listener listener,
      CompletionPort<Unit> port) {
    this.disk = disk;
    this.record = record;
    this.blocks = blocks;
    this.listener = listener;
    this.port = port;
  }

  /**
   * Reads. Failures: {@code Corrupt} when both copies of a block are damaged, {@code Device}.
   *
   * @param blocks filled
   * @param listener hears of each chunk
   */
  public static void read(
      Disk disk,
      SnapshotRecord record,
      SnapshotBlocks blocks,
      Listener listener,
      CompletionPort<Unit> port) {
    long stored = record.extents().stream().mapToLong(Extent::blocks).sum();
    if (stored != 2L * blocks.count()) {
      port.complete(Completion.failed(corrupt(disk, 0, 2L * blocks.count(), stored)));
    } else {
      new SnapshotBits(disk, record, blocks, listener, port).next(0);
    }
  }

  /** Hears what is wrong with a copy. */
  public interface Problems {
    void problem(long block, String what);
  }

  /**
   * Reads both copies, and tells of each damaged block of either. Fails, with that told too, when
   * both are damaged in the same place.
   */
  public static void check(
      Disk disk,
      SnapshotRecord record,
      FreeMapConfig config,
      Problems problems,
      CompletionPort<SnapshotBlocks> port) {
    checkCopy(
        disk,
        record,
        config,
        problems,
        first ->
            checkCopy(disk, record.swapped(), config, problems, second -> port.complete(first)));
  }

  private static void checkCopy(
      Disk disk,
      SnapshotRecord record,
      FreeMapConfig config,
      Problems problems,
      CompletionPort<SnapshotBlocks> port) {
    SnapshotBlocks blocks = SnapshotBlocks.unheld(config, record.volumeBlocks());
    Listener listener =
        new Listener() {
          @Override
          public void known(int chunk) {}

          @Override
          public void damaged(long block) {
            problems.problem(block, "a block of what it holds is damaged");
          }
        };
    read(
        disk,
        record,
        blocks,
        listener,
        CompletionPort.of(
            done -> port.complete(Completion.done(blocks)),
            why -> {
              problems.problem(0, why.message());
              port.complete(Completion.failed(why));
            }));
  }

  private void next(int chunk) {
    if (chunk == blocks.count()) {
      port.complete(
          digest == record.mapDigest()
              ? Completion.done()
              : Completion.failed(
                  corrupt(disk, record.extents().getFirst().block(), record.mapDigest(), digest)));
      return;
    }
    Extent run =
        SnapshotRecord.run(
            record.extents(), chunk, Math.min(BLOCKS_PER_READ, blocks.count() - chunk));
    read(run, completion -> first(chunk, run, completion));
  }

  private void first(int chunk, Extent run, Completion<Unit> completion) {
    int at = chunk;
    int end = chunk + (int) run.blocks();
    if (completion instanceof Completion.Done<Unit>) {
      while (at < end && accept(at, (at - chunk) * Disk.BLOCK_BYTES)) {
        at++;
      }
    }
    if (at < end) {
      second(at);
    } else {
      next(end);
    }
  }

  private void second(int chunk) {
    listener.damaged(SnapshotRecord.run(record.extents(), chunk, 1).block());
    Extent run = SnapshotRecord.run(record.extents(), (long) blocks.count() + chunk, 1);
    read(
        run,
        completion -> {
          if (completion instanceof Completion.Failed<Unit>) {
            port.complete(completion);
          } else if (accept(chunk, 0)) {
            next(chunk + 1);
          } else {
            port.complete(
                Completion.failed(corrupt(disk, run.block(), record.mapSequence(), chunk)));
          }
        });
  }

  private boolean accept(int chunk, int offset) {
    Long part = blocks.accept(chunk, record.mapSequence(), buffer.slice(offset, Disk.BLOCK_BYTES));
    if (part == null) {
      return false;
    }
    digest += part;
    listener.known(chunk);
    return true;
  }

  private void read(Extent run, CompletionPort<Unit> then) {
    buffer.clear().limit((int) run.blocks() * Disk.BLOCK_BYTES);
    disk.submit(new DiskRequest.Read(run.block(), List.of(buffer), IoClass.FOREGROUND_READ, then));
  }

  private static Failure corrupt(Disk disk, long block, long expected, long found) {
    return new Failure.Corrupt(
        disk.name(),
        "what a snapshot holds (both copies)",
        block * Disk.BLOCK_BYTES,
        expected,
        found);
  }
}
