package dev.upcall.bench.edits;

import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.function.LongUnaryOperator;

/** Durable inserts into a plain file, one after the other. */
final class PlainEdits implements EditSide {
  private static final int PIECE_BYTES = 4 << 20;
  private static final long SEED = 18;

  private final ThreadedLoop thread = ThreadedLoop.platform(1);
  private final FileChannel file;
  private final ThreadedLoop.Step step;

  private PlainEdits(FileChannel file, ThreadedLoop.Step step) {
    this.file = file;
    this.step = step;
  }

  /** At bytes by chance, all behind the inserted bytes is moved, from the end on; then a sync. */
  static EditSide rewritingTails(Path path, int length, long size) throws IOException {
    Random random = new Random(SEED);
    return rewritingTails(path, length, size, bytes -> random.nextLong(bytes + 1));
  }

  /** The same always in the middle: where tails are so long that few can be waited for. */
  static EditSide rewritingHalves(Path path, int length, long size) throws IOException {
    return rewritingTails(path, length, size, bytes -> bytes / 2);
  }

  /**
   * Inserts.
   *
   * @param place of the next one in a file of so many bytes
   */
  private static EditSide rewritingTails(Path path, int length, long size, LongUnaryOperator place)
      throws IOException {
    FileChannel file = made(path, size);
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    return new PlainEdits(
        file,
        () -> {
          long end = file.size();
          long at = place.applyAsLong(end);
          while (end > at) {
            long from = Math.max(at, end - PIECE_BYTES);
            readAll(file, piece.clear().limit((int) (end - from)), from);
            writeAll(file, piece.flip(), from + length);
            end = from;
          }
          writeAll(file, bytes.clear(), at);
          file.force(true);
        });
  }

  /** The file system moves the blocks; then the bytes are written, and a sync. */
  static EditSide insertingRanges(Path path, int length, long size) throws IOException {
    FileChannel file = made(path, size);
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    Random random = new Random(SEED);
    return new PlainEdits(
        file,
        () -> {
          long at = random.nextLong(file.size() / Blocks.BYTES) * Blocks.BYTES;
          InsertRange.insert(path, at, length);
          writeAll(file, bytes.clear(), at);
          file.force(true);
        });
  }

  private static FileChannel made(Path path, long size) throws IOException {
    FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Blocks blocks = new Blocks(1);
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    for (long at = 0; at < size; at += PIECE_BYTES) {
      blocks.fill(at / Blocks.BYTES, piece.clear());
      writeAll(file, piece.flip().limit((int) Math.min(PIECE_BYTES, size - at)), at);
    }
    file.force(true);
    return file;
  }

  private static void readAll(FileChannel file, ByteBuffer into, long from) throws IOException {
    for (long at = from; into.hasRemaining(); ) {
      int count = file.read(into, at);
      if (count < 0) {
        throw new IOException("the file ended at " + at);
      }
      at += count;
    }
  }

  private static void writeAll(FileChannel file, ByteBuffer bytes, long to) throws IOException {
    for (long at = to; bytes.hasRemaining(); ) {
      at += file.write(bytes, at);
    }
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return thread.run(nanos, _ -> step);
  }

  @Override
  public void close() throws IOException {
    thread.close();
    file.close();
  }
}
