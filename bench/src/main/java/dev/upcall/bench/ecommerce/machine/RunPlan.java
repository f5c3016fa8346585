package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Workload;

/**
 * One run.
 *
 * @param kind the benchmark
 * @param mix of it
 * @param clients how many
 * @param setting what they run on
 * @param length how large and how long
 */
public record RunPlan(Workload.Kind kind, Mix mix, int clients, Setting setting, Length length) {

  /**
   * What they run on.
   *
   * @param policy the I/O scheduler
   * @param journal of the file system
   */
  public record Setting(Policy policy, Journal journal) {
    /** As in the paper: anticipatory, ext3. */
    public static final Setting PAPER = new Setting(Policy.ANTICIPATORY_4MS, Journal.BLOCK);
  }

  /**
   * How large and how long.
   *
   * @param scale the part of the paper's rows
   * @param warmUpNanos virtual time before anything counts
   * @param nanos virtual time that counts
   * @param seed of all chance
   */
  public record Length(double scale, long warmUpNanos, long nanos, long seed) {}

  /** The same on something else. */
  public RunPlan on(Policy policy, Journal journal) {
    return new RunPlan(kind, mix, clients, new Setting(policy, journal), length);
  }

  /** The same for half the time that counts. */
  public RunPlan halfAsLong() {
    Length half = new Length(length.scale, length.warmUpNanos, length.nanos / 2, length.seed);
    return new RunPlan(kind, mix, clients, setting, half);
  }

  /** The same from another seed. */
  public RunPlan withSeed(long seed) {
    Length other = new Length(length.scale, length.warmUpNanos, length.nanos, seed);
    return new RunPlan(kind, mix, clients, setting, other);
  }

  /** Memory and times of this benchmark's server. */
  public ServerConfig server() {
    return ServerConfig.of(kind, length.scale());
  }
}
