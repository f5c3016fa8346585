package dev.upcall.bench.proxy.disk;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceSink;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts and times the requests that pages in memory need, and tells a sink of each. */
public final class CountedDisk {
  /** A read that begins so many pages behind the one before, or less, is nearly sequential. */
  private static final int NEAR_PAGES = 8;

  /** The purpose of a request. */
  public enum Purpose {
    /** Files, directories and inodes. */
    FILES,
    /** The mapped file. */
    MAPPED
  }

  private static final class Sums {
    private long reads;
    private long readPages;
    private long writes;
    private long writtenPages;

    DiskCounts.Moved moved() {
      return new DiskCounts.Moved(reads, readPages, writes, writtenPages);
    }
  }

  private final ArmTimer oneArm;
  private final ArmTimer threeArms;
  private final Map<Purpose, Sums> sums = new EnumMap<>(Purpose.class);
  private TraceSink sink = entry -> {};
  private long nowNanos;
  private long lastMappedEnd = Long.MIN_VALUE;
  private long nearReads;

  /** A disk that nobody has used. */
  public CountedDisk(DiskShape shape) {
    this.oneArm = new ArmTimer(List.of(shape.pages()));
    this.threeArms = new ArmTimer(shape.armEnds());
    zero();
  }

  private void zero() {
    for (Purpose purpose : Purpose.values()) {
      sums.put(purpose, new Sums());
    }
    nearReads = 0;
    oneArm.reset();
    threeArms.reset();
  }

  /** Counts from 0 again, and tells a sink of requests from here on. */
  public void observe(TraceSink other) {
    zero();
    sink = other;
  }

  /** Nothing is asked for before this moment. */
  public void arrive(long nanos) {
    nowNanos = Math.max(nowNanos, nanos);
  }

  void read(Purpose purpose, long page, int pages) {
    Sums sum = of(purpose);
    sum.reads++;
    sum.readPages += pages;
    if (purpose == Purpose.MAPPED) {
      long behind = page - lastMappedEnd;
      nearReads += behind >= 0 && behind <= NEAR_PAGES ? 1 : 0;
      lastMappedEnd = page + pages;
    }
    serve(DiskOperation.READ, page, pages);
  }

  void write(Purpose purpose, long page, int pages) {
    Sums sum = of(purpose);
    sum.writes++;
    sum.writtenPages += pages;
    serve(DiskOperation.WRITE, page, pages);
  }

  private void serve(DiskOperation operation, long page, int pages) {
    boolean reads = operation == DiskOperation.READ;
    TraceEntry.Run run =
        new TraceEntry.Run(page * ArmTimer.PAGE_BLOCKS, (long) pages * ArmTimer.PAGE_BLOCKS);
    sink.record(
        new TraceEntry(
            nowNanos,
            operation,
            reads ? IoClass.FOREGROUND_READ : IoClass.BACKGROUND,
            run,
            TraceEntry.Source.UNKNOWN));
    nowNanos += oneArm.serve(page, pages);
    threeArms.serve(page, pages);
  }

  /** Requests from here on go to all disks side by side. */
  public void beginFlush() {
    threeArms.begin();
  }

  /** They are done. */
  public void endFlush() {
    threeArms.end();
  }

  private Sums of(Purpose purpose) {
    return java.util.Objects.requireNonNull(sums.get(purpose));
  }

  /** The counts since {@link #observe}. */
  public DiskCounts counts() {
    return new DiskCounts(
        of(Purpose.FILES).moved(),
        of(Purpose.MAPPED).moved(),
        oneArm.nanos(),
        threeArms.nanos(),
        nearReads);
  }
}
