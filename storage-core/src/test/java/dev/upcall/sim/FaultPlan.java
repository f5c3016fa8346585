package dev.upcall.sim;

import dev.upcall.fsm.Invariants;

/**
 * What goes wrong, and when. Steps are counted from 1: every submission of a request is one, and
 * every completion is one. Rates are per million requests and drawn from the world's seed.
 *
 * @param crashAtStep the step at which the machine dies; 0 for never. At a submission the request
 *     is in flight; at a completion it took effect but nobody was told
 * @param failAtStep the submission (or, if the step is a completion, the next submission) that
 *     fails with a device error; 0 for none
 * @param readErrors reads that fail
 * @param writeErrors writes that fail, leaving any mix of old and new sectors
 * @param syncErrors syncs that fail; what they covered may be lost for good, whatever later syncs
 *     say
 * @param bitRot reads that find one bit of one of their blocks decayed, from then on
 * @param misdirected writes that land whole at another address
 * @param lost writes that are acknowledged and never reach the medium
 * @param stragglers requests that take a hundred times as long, as when the device or the kernel
 *     served them in pieces and had to be asked again; others overtake them
 * @param firstBlock where {@code bitRot}, {@code misdirected} and {@code lost} begin to strike
 * @param endBlock the first block behind those
 */
public record FaultPlan(
    long crashAtStep,
    long failAtStep,
    int readErrors,
    int writeErrors,
    int syncErrors,
    int bitRot,
    int misdirected,
    int lost,
    int stragglers,
    long firstBlock,
    long endBlock) {

  /** Nothing goes wrong. */
  public static final FaultPlan NONE = new FaultPlan(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Long.MAX_VALUE);

  /** Checks the rates. */
  public FaultPlan {
    Invariants.check(crashAtStep >= 0 && failAtStep >= 0, "step", crashAtStep, failAtStep);
    for (int rate :
        new int[] {readErrors, writeErrors, syncErrors, bitRot, misdirected, lost, stragglers}) {
      Invariants.check(rate >= 0 && rate <= 1_000_000, "rate per million", rate);
    }
  }

  /** The machine dies at a step; nothing else goes wrong. */
  public static FaultPlan crashAt(long step) {
    return NONE.withCrashAt(step);
  }

  /** The same with a crash at a step. */
  public FaultPlan withCrashAt(long step) {
    return new FaultPlan(
        step,
        failAtStep,
        readErrors,
        writeErrors,
        syncErrors,
        bitRot,
        misdirected,
        lost,
        stragglers,
        firstBlock,
        endBlock);
  }

  /** The same with one failing request. */
  public FaultPlan withFailAt(long step) {
    return new FaultPlan(
        crashAtStep,
        step,
        readErrors,
        writeErrors,
        syncErrors,
        bitRot,
        misdirected,
        lost,
        stragglers,
        firstBlock,
        endBlock);
  }

  /** The same with honest errors, each per million requests of its kind. */
  public FaultPlan withErrors(int reads, int writes, int syncs) {
    return new FaultPlan(
        crashAtStep,
        failAtStep,
        reads,
        writes,
        syncs,
        bitRot,
        misdirected,
        lost,
        stragglers,
        firstBlock,
        endBlock);
  }

  /** The same with silent errors, each per million requests of its kind. */
  public FaultPlan withLies(int rotten, int misdirectedWrites, int lostWrites) {
    return new FaultPlan(
        crashAtStep,
        failAtStep,
        readErrors,
        writeErrors,
        syncErrors,
        rotten,
        misdirectedWrites,
        lostWrites,
        stragglers,
        firstBlock,
        endBlock);
  }

  /** The same with silent errors in some blocks only. */
  public FaultPlan within(long first, long end) {
    return new FaultPlan(
        crashAtStep,
        failAtStep,
        readErrors,
        writeErrors,
        syncErrors,
        bitRot,
        misdirected,
        lost,
        stragglers,
        first,
        end);
  }

  /** The same with requests that are overtaken by many others, per million. */
  public FaultPlan withStragglers(int perMillion) {
    return new FaultPlan(
        crashAtStep,
        failAtStep,
        readErrors,
        writeErrors,
        syncErrors,
        bitRot,
        misdirected,
        lost,
        perMillion,
        firstBlock,
        endBlock);
  }
}
