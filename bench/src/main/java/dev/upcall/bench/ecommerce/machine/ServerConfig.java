package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Workload;
import java.util.concurrent.TimeUnit;

/**
 * What a benchmark runs on: memory in proportion to its tables, and times. These are the knobs that
 * were turned until traffic was like the paper's: pages in memory, the age at which changes are
 * written, read-ahead, think times, and what a page costs the processor.
 *
 * @param cache pages in memory
 * @param inside interactions that the database lets in at a time
 * @param isLogged whether commits wait for a log; else changes are written when they are old
 * @param times of clients and processors
 */
public record ServerConfig(PageCache.Config cache, int inside, boolean isLogged, Times times) {
  /** The paper's 512 MB. */
  private static final int PAPER_PAGES = 131_072;

  private static final int FEWEST_PAGES = 256;
  private static final int READ_AHEAD_PAGES = 4;
  private static final int FEW_AHEAD_PAGES = 2;
  private static final int NO_LIMIT = 1 << 20;
  private static final int FEW_INSIDE = 8;
  private static final int CONNECTIONS = 16;
  private static final long DATABASE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Eight rows are compared, joined and sorted: with it requests come as far apart as there. */
  private static final long PAGE_NANOS = TimeUnit.MICROSECONDS.toNanos(800);

  private static final long APPLICATION_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long THINK_NANOS = TimeUnit.SECONDS.toNanos(7);

  /** InnoDB: a log, its own memory and its own writing of pages; clients that do not think. */
  private static ServerConfig tpcC(Variant variant, double scale) {
    return new ServerConfig(
        cache(scale, 1.2, FEW_AHEAD_PAGES, 3, 1),
        variant == Variant.EIGHT_INSIDE ? FEW_INSIDE : NO_LIMIT,
        true,
        new Times(0, 0, DATABASE_NANOS, 0));
  }

  /**
   * MyISAM: no log, files in the memory of the system; 16 connections, clients that do not think.
   * Its processor is the limit, since the paper's throughput and interarrival are the same with 16
   * and with 64 clients, whose drive moved 2 to 4 MB/s.
   */
  private static ServerConfig tpcW(Variant variant, double scale) {
    return new ServerConfig(
        cache(scale, 0.25, READ_AHEAD_PAGES, 60, 5),
        CONNECTIONS,
        false,
        new Times(
            variant == Variant.THINKING ? THINK_NANOS : 0,
            APPLICATION_NANOS,
            DATABASE_NANOS,
            variant == Variant.STANDARD ? PAGE_NANOS : 0));
  }

  /** MyISAM, whose pages cost the same, and clients that think for seven seconds. */
  private static ServerConfig rubis(double scale) {
    return new ServerConfig(
        cache(scale, 0.33, READ_AHEAD_PAGES, 4, 1),
        NO_LIMIT,
        false,
        new Times(THINK_NANOS, APPLICATION_NANOS, DATABASE_NANOS, PAGE_NANOS));
  }

  /** The server of a benchmark at a part of the paper's size. */
  public static ServerConfig of(Workload.Kind kind, Variant variant, double scale) {
    return switch (kind) {
      case TPC_C -> tpcC(variant, scale);
      case TPC_W -> tpcW(variant, scale);
      case RUBIS -> rubis(scale);
    };
  }

  /** A reader of consecutive pages gets so many at a time. */
  public int readAheadPages() {
    return cache.readAheadPages();
  }

  private static PageCache.Config cache(
      double scale, double part, int readAhead, long ageSeconds, long flushSeconds) {
    return new PageCache.Config(
        (int) Math.max(FEWEST_PAGES, PAPER_PAGES * scale * part),
        readAhead,
        TimeUnit.SECONDS.toNanos(ageSeconds),
        TimeUnit.SECONDS.toNanos(flushSeconds));
  }
}
