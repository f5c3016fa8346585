package dev.upcall.io.trace;

import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.io.IoClass;
import java.util.SortedMap;

/**
 * What block traffic was like, as a whole. What moves no data (sync, room given or taken) counts
 * where it says so and nowhere else.
 *
 * @param reads requests that read
 * @param writes requests that write, durable or not
 * @param syncs how many syncs
 * @param others how many requests made room, gave some back or cut the end
 * @param spanNanos from the first to the last that moved data
 * @param interarrivals the times between one that moved data and the next, in nanoseconds
 * @param pages which pages they touched
 * @param classes by class; those without requests are missing
 * @param askers by asker
 */
public record BlockProfile(
    DirectionProfile reads,
    DirectionProfile writes,
    long syncs,
    long others,
    long spanNanos,
    DistributionSnapshot interarrivals,
    Pages pages,
    SortedMap<IoClass, Share> classes,
    SortedMap<Integer, Share> askers) {

  /** Stands among the askers for all those for whom there was no row left. */
  public static final int OTHER_ASKERS = -1;

  /**
   * Different pages of 4 KiB.
   *
   * @param footprint in all
   * @param minutes how many minutes the trace has, the last one begun
   * @param meanMinute in a minute, on average
   * @param maxMinute in a minute, at most
   */
  public record Pages(long footprint, long minutes, double meanMinute, long maxMinute) {}

  /**
   * Requests that moved data.
   *
   * @param requests how many
   * @param blocks their blocks
   * @param sizes how many blocks each had
   * @param distances how many blocks lay between the end of the one before of its direction,
   *     whosever, and its begin
   * @param waits for how long each was held back before it was submitted, in nanoseconds
   */
  public record Share(
      long requests,
      long blocks,
      DistributionSnapshot sizes,
      DistributionSnapshot distances,
      DistributionSnapshot waits) {}

  /** The part of reads by what moved, from 0 to 1. */
  public double readShareOfSectors() {
    return part(reads.blocks(), writes.blocks());
  }

  /** The part of reads by requests. */
  public double readShareOfRequests() {
    return part(reads.requests(), writes.requests());
  }

  private static double part(long some, long rest) {
    return some + rest == 0 ? 0 : (double) some / (some + rest);
  }

  /** The mean time from one request to the next, of both directions; 0 without a second one. */
  public double meanInterarrivalNanos() {
    long requests = reads.requests() + writes.requests();
    return requests < 2 ? 0 : (double) spanNanos / (requests - 1);
  }
}
