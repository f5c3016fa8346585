package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Table;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.trace.BlockMeasures;
import dev.upcall.io.trace.BlockProfile;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Looks at what is issued to the drive from a moment on: its measures, whose it is, where it goes.
 */
public final class Traffic implements TraceSink {
  private static final int MOST_DOTS = 6_000;

  private final Workload workload;
  private final LongUnaryOperator pages;
  private final long givenEnd;
  private final long fromNanos;
  private final BlockMeasures measures;
  private final Map<String, Long> readBlocks = new LinkedHashMap<>();
  private final List<Dot> dots = new ArrayList<>();
  private int every = 1;
  private long seen;
  private long runEnd = -1;
  private long runBlocks;
  private long longestRunBlocks;
  private long addedBlocks;

  /**
   * What lies where.
   *
   * @param blocks of the drive
   * @param givenEnd before it lies what the database writes, behind it what the file system adds
   */
  record Span(long blocks, long givenEnd) {}

  /** A request in a plot of addresses. */
  public record Dot(double seconds, long block, boolean reads) {}

  /**
   * Has seen nothing.
   *
   * @param pages which page lies at a block
   */
  Traffic(Workload workload, LongUnaryOperator pages, Span span, long fromNanos) {
    this.workload = workload;
    this.pages = pages;
    this.fromNanos = fromNanos;
    this.givenEnd = span.givenEnd;
    this.measures = new BlockMeasures(span.blocks);
  }

  @Override
  public void record(TraceEntry entry) {
    if (entry.timeNanos() < fromNanos) {
      return;
    }
    measures.record(entry);
    boolean reads = entry.operation() == DiskOperation.READ;
    TraceEntry.Run run = entry.run();
    if (reads) {
      Table table = workload.tableOf(pages.applyAsLong(run.block()));
      readBlocks.merge(table.name(), run.blocks(), Long::sum);
      runBlocks = run.block() == runEnd ? runBlocks + run.blocks() : run.blocks();
      runEnd = run.end();
      longestRunBlocks = Math.max(longestRunBlocks, runBlocks);
    } else if (run.block() >= givenEnd) {
      addedBlocks += run.blocks();
    }
    dot(entry, reads);
  }

  /** Keeps every n-th, where n doubles when there are too many. */
  private void dot(TraceEntry entry, boolean reads) {
    if (seen++ % every != 0) {
      return;
    }
    if (dots.size() == MOST_DOTS) {
      for (int i = MOST_DOTS - 1; i > 0; i -= 2) {
        dots.remove(i);
      }
      every *= 2;
    }
    double seconds = (entry.timeNanos() - fromNanos) / 1e9;
    dots.add(new Dot(seconds, entry.run().block(), reads));
  }

  BlockProfile profile() {
    return measures.snapshot();
  }

  RunResult.Places places() {
    return new RunResult.Places(readBlocks, longestRunBlocks, addedBlocks, dots);
  }
}
