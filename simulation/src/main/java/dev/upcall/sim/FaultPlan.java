package dev.upcall.sim;

import dev.upcall.base.Invariants;

/**
 * What goes wrong, and when.
 *
 * @param strikes what goes wrong at one counted moment
 * @param rates what goes wrong now and then, drawn from the world's seed
 * @param firstBlock where {@code bitRot}, {@code misdirected} and {@code lost} begin to strike
 * @param endBlock the first block behind those
 */
public record FaultPlan(Strikes strikes, Rates rates, long firstBlock, long endBlock) {

  /**
   * What goes wrong at one moment, counted from 1 and from the disk's birth; 0 for never. Steps:
   * every submission of a request is one, and every completion is one.
   *
   * @param crashAtStep the step at which the machine dies. At a submission the request is in
   *     flight; at a completion it took effect but nobody was told
   * @param failAtStep the submission (or, if the step is a completion, the next submission) that
   *     fails with a device error
   * @param failAtSync the sync that fails
   * @param fullAtRoom the first request of those that need room on the device (allocations, and
   *     writes into holes) that gets none, like all that follow
   */
  public record Strikes(long crashAtStep, long failAtStep, long failAtSync, long fullAtRoom) {
    static final Strikes NEVER = new Strikes(0, 0, 0, 0);

    /** Checks the moments. */
    public Strikes {
      Invariants.check(crashAtStep >= 0 && failAtStep >= 0, "step", crashAtStep, failAtStep);
      Invariants.check(failAtSync >= 0 && fullAtRoom >= 0, "count", failAtSync, fullAtRoom);
    }
  }

  /**
   * What goes wrong now and then, per million requests of its kind.
   *
   * @param readErrors reads that fail
   * @param badBlocks reads at one block of which they and all later ones fail, until it is written
   * @param writeErrors writes that fail, leaving any mix of old and new sectors
   * @param syncErrors syncs that fail; what they covered may be lost for good, whatever later syncs
   *     say
   * @param bitRot reads that find one bit of one of their blocks decayed, from then on
   * @param misdirected writes that land whole at another address
   * @param lost writes that are acknowledged and never reach the medium
   * @param stragglers requests that take a hundred times as long, as when the device or the kernel
   *     served them in pieces and had to be asked again; others overtake them
   */
  public record Rates(
      int readErrors,
      int badBlocks,
      int writeErrors,
      int syncErrors,
      int bitRot,
      int misdirected,
      int lost,
      int stragglers) {
    static final Rates NONE = new Rates(0, 0, 0, 0, 0, 0, 0, 0);

    /** Checks the rates. */
    public Rates {
      for (int rate :
          new int[] {
            readErrors, badBlocks, writeErrors, syncErrors, bitRot, misdirected, lost, stragglers
          }) {
        Invariants.check(rate >= 0 && rate <= 1_000_000, "rate per million", rate);
      }
    }
  }

  /** Nothing goes wrong. */
  public static final FaultPlan NONE = new FaultPlan(Strikes.NEVER, Rates.NONE, 0, Long.MAX_VALUE);

  /** The machine dies at a step; nothing else goes wrong. */
  public static FaultPlan crashAt(long step) {
    return NONE.withCrashAt(step);
  }

  /** The same with a crash at a step. */
  public FaultPlan withCrashAt(long step) {
    return with(
        new Strikes(step, strikes.failAtStep, strikes.failAtSync, strikes.fullAtRoom), rates);
  }

  /** The same with one failing request. */
  public FaultPlan withFailAt(long step) {
    return with(
        new Strikes(strikes.crashAtStep, step, strikes.failAtSync, strikes.fullAtRoom), rates);
  }

  /** The same with one failing sync. */
  public FaultPlan withFailAtSync(long sync) {
    return with(
        new Strikes(strikes.crashAtStep, strikes.failAtStep, sync, strikes.fullAtRoom), rates);
  }

  /** The same with a device that is full from some request for room on. */
  public FaultPlan withFullAtRoom(long request) {
    return with(
        new Strikes(strikes.crashAtStep, strikes.failAtStep, strikes.failAtSync, request), rates);
  }

  /** The same with honest errors, each per million requests of its kind. */
  public FaultPlan withErrors(int reads, int writes, int syncs) {
    return with(
        strikes,
        new Rates(
            reads,
            rates.badBlocks,
            writes,
            syncs,
            rates.bitRot,
            rates.misdirected,
            rates.lost,
            rates.stragglers));
  }

  /** The same with blocks that cannot be read any more, found by so many reads per million. */
  public FaultPlan withBadBlocks(int perMillion) {
    return with(
        strikes,
        new Rates(
            rates.readErrors,
            perMillion,
            rates.writeErrors,
            rates.syncErrors,
            rates.bitRot,
            rates.misdirected,
            rates.lost,
            rates.stragglers));
  }

  /** The same with silent errors, each per million requests of its kind. */
  public FaultPlan withLies(int rotten, int misdirectedWrites, int lostWrites) {
    return with(
        strikes,
        new Rates(
            rates.readErrors,
            rates.badBlocks,
            rates.writeErrors,
            rates.syncErrors,
            rotten,
            misdirectedWrites,
            lostWrites,
            rates.stragglers));
  }

  /** The same with requests that are overtaken by many others, per million. */
  public FaultPlan withStragglers(int perMillion) {
    return with(
        strikes,
        new Rates(
            rates.readErrors,
            rates.badBlocks,
            rates.writeErrors,
            rates.syncErrors,
            rates.bitRot,
            rates.misdirected,
            rates.lost,
            perMillion));
  }

  /** The same with silent errors in some blocks only. */
  public FaultPlan within(long first, long end) {
    return new FaultPlan(strikes, rates, first, end);
  }

  private FaultPlan with(Strikes otherStrikes, Rates otherRates) {
    return new FaultPlan(otherStrikes, otherRates, firstBlock, endBlock);
  }
}
