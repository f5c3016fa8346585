package dev.upcall.io.trace.text;

import dev.upcall.fsm.Asker;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceTarget;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Writes events {@code D} in the default form of blkparse. The process is who asked. For requests
 * that make room or cut the end there are no letters.
 */
final class BlkparseWriter implements TraceTarget {
  private static final long SECTORS = Disk.BLOCK_BYTES / 512;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Writer out;
  private long beganNanos = -1;
  private long number;

  BlkparseWriter(Writer out) {
    this.out = out;
  }

  @Override
  public boolean write(TraceEntry entry) throws IOException {
    String flags =
        switch (entry.operation()) {
          case READ -> entry.ioClass() == IoClass.READ_AHEAD ? "RA" : "R";
          case WRITE -> entry.ioClass() == IoClass.BACKGROUND ? "W" : "WS";
          case DURABLE_WRITE -> "WFS";
          case SYNC -> "FN";
          case DISCARD -> "D";
          case ALLOCATE, SHRINK, STAT -> "";
        };
    if (flags.isEmpty()) {
      return false;
    }
    if (beganNanos < 0) {
      beganNanos = entry.timeNanos();
    }
    long nanos = entry.timeNanos() - beganNanos;
    number++;
    String place =
        entry.run().blocks() == 0
            ? ""
            : " %d + %d".formatted(entry.run().block() * SECTORS, entry.run().blocks() * SECTORS);
    int asker = entry.source().asker();
    out.write(
        String.format(
            Locale.ROOT,
            "%3d,%-3d %2d %8d %5d.%09d %5d %2s %3s%s [%s]%n",
            8,
            0,
            0,
            number,
            nanos / SECOND_NANOS,
            nanos % SECOND_NANOS,
            Integer.toUnsignedLong(asker),
            "D",
            flags,
            place,
            Asker.name(asker).replace(' ', '-')));
    return true;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
