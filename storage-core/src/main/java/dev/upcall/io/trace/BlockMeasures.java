package dev.upcall.io.trace;

import dev.upcall.fsm.meter.Distribution;
import dev.upcall.io.IoClass;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Measures block traffic as it passes, in constant memory. The definitions are those of the study
 * of e-commerce storage: of requests as they are issued, in the order of their issue.
 */
public final class BlockMeasures implements TraceSink {
  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Askers with a row of their own: the first so many. */
  private static final int MAX_ASKERS = 256;

  private final DirectionMeter reads = new DirectionMeter();
  private final DirectionMeter writes = new DirectionMeter();
  private final Distribution interarrivals = new Distribution();
  private final PageSet footprint;
  private final PageSet minute;
  private final TreeMap<IoClass, ShareMeter> classes = new TreeMap<>();
  private final TreeMap<Integer, ShareMeter> askers = new TreeMap<>();
  private long syncs;
  private long others;
  private long moved;
  private long end = -1;
  private long firstNanos;
  private long lastNanos;
  private long minuteEndNanos;
  private long minutes;
  private long minutePages;
  private long maxMinutePages;

  /** Nothing was measured yet, of a device of so many blocks. */
  public BlockMeasures(long blocks) {
    this.footprint = new PageSet(blocks);
    this.minute = new PageSet(blocks);
  }

  @Override
  public void record(TraceEntry entry) {
    switch (entry.operation()) {
      case READ -> moved(entry, reads);
      case WRITE, DURABLE_WRITE -> moved(entry, writes);
      case SYNC -> syncs++;
      case ALLOCATE, DISCARD, SHRINK, STAT -> others++;
    }
  }

  private void moved(TraceEntry entry, DirectionMeter direction) {
    long now = entry.timeNanos();
    if (moved == 0) {
      firstNanos = now;
      minuteEndNanos = now + MINUTE_NANOS;
      minutes = 1;
    } else {
      interarrivals.record(now - lastNanos);
    }
    moved++;
    lastNanos = now;
    if (now >= minuteEndNanos) {
      nextMinute(now);
    }
    TraceEntry.Run run = entry.run();
    long distance = direction.add(entry, end);
    end = run.end();
    footprint.add(run.block(), run.end());
    minute.add(run.block(), run.end());
    classes.computeIfAbsent(entry.ioClass(), any -> new ShareMeter()).add(entry, distance);
    asker(entry.source().asker()).add(entry, distance);
  }

  private void nextMinute(long now) {
    endMinute();
    minute.clear();
    long passed = 1 + (now - minuteEndNanos) / MINUTE_NANOS;
    minutes += passed;
    minuteEndNanos += passed * MINUTE_NANOS;
  }

  private void endMinute() {
    minutePages += minute.size();
    maxMinutePages = Math.max(maxMinutePages, minute.size());
  }

  private ShareMeter asker(int asker) {
    ShareMeter sums = askers.get(asker);
    if (sums == null) {
      int row = askers.size() < MAX_ASKERS ? asker : BlockProfile.OTHER_ASKERS;
      sums = askers.computeIfAbsent(row, any -> new ShareMeter());
    }
    return sums;
  }

  /** What it was like so far. */
  public BlockProfile snapshot() {
    long present = minute.size();
    double mean = minutes == 0 ? 0 : (double) (minutePages + present) / minutes;
    BlockProfile.Pages pages =
        new BlockProfile.Pages(footprint.size(), minutes, mean, Math.max(maxMinutePages, present));
    return new BlockProfile(
        reads.snapshot(),
        writes.snapshot(),
        syncs,
        others,
        lastNanos - firstNanos,
        interarrivals.snapshot(),
        pages,
        shares(classes),
        shares(askers));
  }

  private static <K extends Comparable<K>> SortedMap<K, BlockProfile.Share> shares(
      Map<K, ShareMeter> sums) {
    TreeMap<K, BlockProfile.Share> shares = new TreeMap<>();
    sums.forEach((key, each) -> shares.put(key, each.snapshot()));
    return shares;
  }
}
