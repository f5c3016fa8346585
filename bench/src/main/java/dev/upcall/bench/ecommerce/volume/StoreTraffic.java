package dev.upcall.bench.ecommerce.volume;

import dev.upcall.io.trace.BlockMeasures;
import dev.upcall.io.trace.BlockProfile;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceSink;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Looks at what a store asks of its device from one moment to another: the measures, and who writes
 * what. One thread.
 */
final class StoreTraffic implements TraceSink {
  /** Writes of the log. */
  static final String LOG = "log";

  private final BlockMeasures measures;
  private final SortedMap<String, StoreResult.Written> writers = new TreeMap<>();
  private long fromNanos = Long.MAX_VALUE;
  private long endNanos = Long.MAX_VALUE;
  private long endBlock = -1;

  /** Of a device that may have so many blocks. */
  StoreTraffic(long blocks) {
    this.measures = new BlockMeasures(blocks);
  }

  /** What is issued from a time of the dispatcher's to another counts. */
  void count(long from, long end) {
    fromNanos = from;
    endNanos = end;
  }

  @Override
  public void record(TraceEntry entry) {
    if (entry.timeNanos() < fromNanos || entry.timeNanos() >= endNanos) {
      return;
    }
    measures.record(entry);
    switch (entry.operation()) {
      case WRITE, DURABLE_WRITE -> {
        TraceEntry.Run run = entry.run();
        StoreResult.Written one =
            new StoreResult.Written(1, run.blocks(), run.block() == endBlock ? 1 : 0);
        endBlock = run.end();
        writers.merge(name(entry), one, StoreResult.Written::and);
      }
      case READ, SYNC, ALLOCATE, DISCARD, SHRINK, STAT -> {
        // Writes nothing.
      }
    }
  }

  /** Log, what a flush waits for, or checkpoints, placing and the like. */
  private static String name(TraceEntry entry) {
    return switch (entry.ioClass()) {
      case LOG -> LOG;
      case FOREGROUND_WRITE -> "pages and trees of flushes";
      case FOREGROUND_READ, READ_AHEAD -> throw new IllegalStateException("a read that writes");
      case BACKGROUND -> "work in the background";
    };
  }

  BlockProfile profile() {
    return measures.snapshot();
  }

  SortedMap<String, StoreResult.Written> writers() {
    return Collections.unmodifiableSortedMap(writers);
  }
}
