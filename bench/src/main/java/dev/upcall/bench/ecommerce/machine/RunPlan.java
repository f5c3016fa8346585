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
   * @param variant of the server
   */
  public record Setting(Policy policy, Journal journal, Variant variant) {
    /** As in the paper: anticipatory, ext3. */
    public static final Setting PAPER = new Setting(Policy.ANTICIPATORY_4MS, Journal.BLOCK);

    /** On the server as described. */
    public Setting(Policy policy, Journal journal) {
      this(policy, journal, Variant.STANDARD);
    }
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

  /** The standard mix of TPC-C under heavy load. */
  public static RunPlan heavyTpcC(Setting setting, Length length) {
    Workload.Kind kind = Workload.Kind.TPC_C;
    return new RunPlan(
        kind, Load.mix(kind, /* writeRich= */ false), Load.HEAVY.clients(kind), setting, length);
  }

  /** The same on something else. */
  public RunPlan on(Policy policy, Journal journal) {
    Setting other = new Setting(policy, journal, setting.variant);
    return new RunPlan(kind, mix, clients, other, length);
  }

  /** The same on another server. */
  public RunPlan on(Variant variant) {
    Setting other = new Setting(setting.policy, setting.journal, variant);
    return new RunPlan(kind, mix, clients, other, length);
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
    return ServerConfig.of(kind, setting.variant(), length.scale());
  }
}
