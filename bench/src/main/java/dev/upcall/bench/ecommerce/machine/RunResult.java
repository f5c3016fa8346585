package dev.upcall.bench.ecommerce.machine;

import dev.upcall.io.trace.BlockProfile;
import java.util.List;
import java.util.Map;

/**
 * What a run gave.
 *
 * @param plan what was run
 * @param profile the traffic below the scheduler
 * @param places where it went
 * @param answers what clients got
 * @param selfCheck of the generator
 */
public record RunResult(
    RunPlan plan, BlockProfile profile, Places places, Answers answers, SelfCheck selfCheck) {

  /**
   * Where traffic went.
   *
   * @param readBlocks by table
   * @param longestReadRunBlocks the longest run of consecutive reads
   * @param addedBlocks of what was written: what the file system adds to pages and log
   * @param dots some of the requests, evenly
   */
  public record Places(
      Map<String, Long> readBlocks,
      long longestReadRunBlocks,
      long addedBlocks,
      List<Traffic.Dot> dots) {
    /** The part of a table in what was read. */
    public double readShare(String table) {
      double all = readBlocks.values().stream().mapToLong(Long::longValue).sum();
      return all == 0 ? 0 : readBlocks.getOrDefault(table, 0L) / all;
    }
  }

  /**
   * What clients got.
   *
   * @param interactions that ended
   * @param seconds in which they did, virtual
   * @param responseNanos of all of them
   * @param databaseNanos of that in the database
   */
  public record Answers(long interactions, double seconds, long responseNanos, long databaseNanos) {
    /** Transactions a minute. */
    public double perMinute() {
      return interactions * 60 / seconds;
    }

    /** The part of round trips that is the database's. */
    public double databaseShare() {
      return responseNanos == 0 ? 0 : (double) databaseNanos / responseNanos;
    }

    /** A mean round trip. */
    public double meanMillis() {
      return interactions == 0 ? 0 : responseNanos / 1e6 / interactions;
    }
  }

  /**
   * What was drawn, beside what should be.
   *
   * @param interactions how many were drawn
   * @param worstPoints by how many percentage points the share of an interaction differs at most
   */
  public record SelfCheck(long interactions, double worstPoints) {
    private static final double MOST_POINTS = 0.5;
    private static final double DEVIATIONS = 4;

    /** Within half a point, as far as chance allows that over so many. */
    public boolean isRight() {
      double deviation = 50 / Math.sqrt((double) Math.max(1, interactions));
      return worstPoints <= MOST_POINTS + DEVIATIONS * deviation;
    }
  }
}
