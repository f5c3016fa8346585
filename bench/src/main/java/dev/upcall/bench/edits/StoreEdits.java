package dev.upcall.bench.edits;

import dev.upcall.Upcall;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;

/** Durable changes of one file of a store, one after the other, by a thread that waits. */
final class StoreEdits implements EditSide {
  /** A file that only grows begins anew then. */
  private static final long LONGEST_BYTES = 1L << 30;

  private static final long SEED = 18;

  private final ThreadedLoop thread = ThreadedLoop.platform(1);
  private final Upcall.RandomAccess file;
  private final Change change;
  private final ByteBuffer bytes;

  private StoreEdits(Upcall.RandomAccess file, int length, Change change) {
    this.file = file;
    this.change = change;
    this.bytes = ByteBuffer.allocateDirect(length);
    new Blocks(2).fill(0, bytes);
    bytes.clear();
  }

  /** A change that is collected. */
  private interface Change {
    void in(Upcall.RandomAccess file, ByteBuffer bytes);
  }

  /** Inserts at bytes by chance. */
  static EditSide inserts(Upcall.RandomAccess file, int length) {
    Random random = new Random(SEED);
    return new StoreEdits(
        file, length, (to, from) -> to.insert(random.nextLong(to.sizeBytes() + 1), from));
  }

  /** Inserts where blocks of 4 KiB begin. */
  static EditSide insertsAtBlocks(Upcall.RandomAccess file, int length) {
    Random random = new Random(SEED);
    return new StoreEdits(
        file,
        length,
        (to, from) ->
            to.insert(random.nextLong(to.sizeBytes() / Blocks.BYTES) * Blocks.BYTES, from));
  }

  /** Writes over bytes by chance. */
  static EditSide overwrites(Upcall.RandomAccess file, int length) {
    Random random = new Random(SEED);
    return new StoreEdits(
        file, length, (to, from) -> to.write(random.nextLong(to.sizeBytes() - length), from));
  }

  /** Cuts the head off and appends as much, in one commit. */
  static EditSide headToTail(Upcall.RandomAccess file, int length) {
    return new StoreEdits(
        file,
        length,
        (to, from) -> {
          to.cut(0, length);
          to.append(from);
        });
  }

  /** Appends; what has become long begins anew. */
  static EditSide appends(Upcall.RandomAccess file, int length) {
    return new StoreEdits(
        file,
        length,
        (to, from) -> {
          if (to.sizeBytes() >= LONGEST_BYTES) {
            to.truncate(0);
          }
          to.append(from);
        });
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return thread.run(nanos, _ -> this::changeOnce);
  }

  private void changeOnce() {
    change.in(file, bytes.clear());
    file.flush();
  }

  @Override
  public void close() {
    thread.close();
    file.abandon();
  }
}
