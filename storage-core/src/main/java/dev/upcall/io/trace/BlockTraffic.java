package dev.upcall.io.trace;

import dev.upcall.base.Clock;
import dev.upcall.config.TrafficConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of one store's requests to its device: a trace in a file, measures, both or nothing.
 * It never makes a request wait or fail: a trace whose file is slow loses entries, and one whose
 * file cannot be written ends.
 *
 * <p>Made and closed by a thread that may wait; else the owner of the disk.
 */
public final class BlockTraffic implements AutoCloseable {
  /** Pages of a device whose size is not known for long: it grows. 256 GiB. */
  private static final long LEAST_PAGES = PageSet.MAX_BITS;

  /** Nothing is kept. */
  public static final BlockTraffic NONE = new BlockTraffic(null, false);

  private final @Nullable TraceWriter writer;
  private final boolean hasMeasures;
  private @Nullable BlockMeasures measures;

  /** Where threads tell of their requests; null where a dispatcher does. */
  private @Nullable TracedDevice device;

  BlockTraffic(@Nullable TraceWriter writer, boolean hasMeasures) {
    this.writer = writer;
    this.hasMeasures = hasMeasures;
  }

  /**
   * What has become of a trace.
   *
   * @param recorded entries that were taken
   * @param lost entries for which there was no room because the file is slow
   * @param isOver whether it has ended, because its file is full or cannot be written
   */
  public record TraceCounts(long recorded, long lost, boolean isOver) {}

  /**
   * Begins what is wanted.
   *
   * @throws IOException if there is such a file already, or it cannot be made
   */
  public static BlockTraffic start(TrafficConfig config, Clock clock) throws IOException {
    if (config.file().isEmpty()) {
      return new BlockTraffic(null, config.measures());
    }
    TraceHeader header = new TraceHeader(0, clock.epochNanos(), clock.monotonicNanos());
    return new BlockTraffic(
        TraceWriter.start(config.file().get(), header, config.maxBytes()), config.measures());
  }

  /** A disk whose requests are kept from here on; itself if nothing is. */
  public Disk over(Disk disk, Dispatcher dispatcher) {
    TraceSink sink = sink(disk.sizeBlocks());
    return sink == null ? disk : new TracedDisk(disk, dispatcher, sink);
  }

  /** The same of a device for threads. */
  public BlockDevice over(BlockDevice behind, Clock clock) {
    TraceSink sink = sink(behind.sizeBlocks());
    if (sink == null) {
      return behind;
    }
    TracedDevice traced = new TracedDevice(behind, clock, sink);
    device = traced;
    return traced;
  }

  private @Nullable TraceSink sink(long blocks) {
    TraceWriter trace = writer;
    if (!hasMeasures) {
      return trace;
    }
    BlockMeasures kept = new BlockMeasures(Math.max(blocks, LEAST_PAGES));
    measures = kept;
    if (trace == null) {
      return kept;
    }
    return entry -> {
      trace.record(entry);
      kept.record(entry);
    };
  }

  /**
   * What the traffic has been like so far.
   *
   * @param profile its measures, or null where none are kept
   * @param trace what has become of the trace, or null where there is none
   */
  public record Counts(@Nullable BlockProfile profile, @Nullable TraceCounts trace) {}

  /** A copy of what is kept. The owner of the disk; where threads serve, any thread. */
  public Counts counts() {
    TracedDevice threads = device;
    return threads == null ? look() : threads.whileQuiet(this::look);
  }

  private Counts look() {
    BlockMeasures kept = measures;
    TraceWriter trace = writer;
    return new Counts(
        kept == null ? null : kept.snapshot(),
        trace == null ? null : new TraceCounts(trace.recorded(), trace.lost(), trace.isOver()));
  }

  /** Nothing more comes: what is there is written. Waits for it. Once the disk is closed. */
  @Override
  public void close() {
    TraceWriter trace = writer;
    if (trace != null) {
      trace.end();
      trace.awaitEnd();
    }
  }
}
