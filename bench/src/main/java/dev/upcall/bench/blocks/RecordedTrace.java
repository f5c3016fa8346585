package dev.upcall.bench.blocks;

import dev.upcall.bench.ecommerce.machine.DatabaseServer;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.io.Disk;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceHeader;
import dev.upcall.io.trace.TraceTarget;
import dev.upcall.io.trace.text.TraceForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/**
 * The traffic of TPC-C's modelled server as files: a trace of ours, the same as fio's log, and a
 * file to play them on.
 *
 * @param file ours
 * @param iolog fio's
 * @param target as large as the trace reaches
 * @param requests that move something
 * @param sectors that they move
 */
record RecordedTrace(Path file, Path iolog, Path target, long requests, long sectors) {
  private static final long SECTORS_OF_BLOCK = Disk.BLOCK_BYTES / 512;
  private static final int PIECE_BYTES = 1 << 20;

  /** Records a run of so many seconds, virtual, after so many that are not recorded. */
  static RecordedTrace make(Path folder, double scale, long warmUpSeconds, long seconds)
      throws IOException {
    RunPlan plan =
        RunPlan.heavyTpcC(
            new RunPlan.Setting(Policy.NOOP, Journal.BATCHED),
            new RunPlan.Length(
                scale,
                TimeUnit.SECONDS.toNanos(warmUpSeconds),
                TimeUnit.SECONDS.toNanos(seconds),
                /* seed= */ 1));
    Path file = folder.resolve("tpc-c.trace");
    Path iolog = folder.resolve("tpc-c.iolog");
    Path target = folder.resolve("tpc-c.volume");
    Counts counts = new Counts();
    try (TraceTarget ours = TraceForm.UPCALL.create(file, new TraceHeader(0, 0, 0), "");
        TraceTarget fios =
            TraceForm.IOLOG_2.create(iolog, new TraceHeader(0, 0, 0), target.toString())) {
      DatabaseServer.run(
          plan,
          entry -> {
            counts.add(entry);
            write(ours, entry);
            write(fios, entry);
          });
    }
    fill(target, counts.endBlock);
    return new RecordedTrace(
        file, iolog, target, counts.requests, counts.blocks * SECTORS_OF_BLOCK);
  }

  private static final class Counts {
    private long requests;
    private long blocks;
    private long endBlock;

    private void add(TraceEntry entry) {
      requests++;
      blocks += entry.run().blocks();
      endBlock = Math.max(endBlock, entry.run().end());
    }
  }

  private static void write(TraceTarget target, TraceEntry entry) {
    try {
      target.write(entry);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** Written from begin to end: what was never written costs a device nothing to read. */
  private static void fill(Path target, long blocks) throws IOException {
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    for (int i = 0; i < PIECE_BYTES; i++) {
      piece.put(i, (byte) (31 * i + (i >> 8)));
    }
    long bytes = blocks * Disk.BLOCK_BYTES;
    try (FileChannel file =
        FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - at));
        while (piece.hasRemaining()) {
          file.write(piece);
        }
      }
      file.force(true);
    }
  }
}
