package dev.upcall.io.replay;

import dev.upcall.config.Limits;
import dev.upcall.io.trace.TraceEntry;

/**
 * How a trace is played.
 *
 * @param speed how many times as fast as it was recorded; 0: as fast as the disk does it
 * @param depth requests at the disk at most
 * @param writes whether what is written, made durable or given back is played, too
 * @param scale where blocks of the trace go
 */
public record ReplayConfig(double speed, int depth, boolean writes, Scale scale) {
  /** The most requests at the disk. */
  public static final int MAX_DEPTH = 1024;

  private static final double MAX_SPEED = 1_000_000;

  /** Checks the limits. */
  public ReplayConfig {
    Limits.require(
        speed >= 0 && speed <= MAX_SPEED, "speed is " + speed + ", must be from 0 to 1000000");
    Limits.within("depth", depth, 1, MAX_DEPTH);
  }

  /**
   * From the blocks of one device to those of another: in proportion where the other is smaller.
   *
   * @param fromBlocks blocks of which the trace is
   * @param toBlocks blocks that there are
   */
  public record Scale(long fromBlocks, long toBlocks) {
    /** Checks the limits. */
    public Scale {
      Limits.atLeast("fromBlocks", fromBlocks, 1);
      Limits.atLeast("toBlocks", toBlocks, 1);
    }

    /** Whether blocks stay where they are. */
    public boolean isNone() {
      return fromBlocks <= toBlocks;
    }

    /**
     * Where a run goes; a run that follows another one goes on doing so as far as there is room.
     */
    TraceEntry.Run place(TraceEntry.Run run) {
      if (isNone()) {
        return run;
      }
      long blocks = Math.min(run.blocks(), toBlocks);
      double part = (double) toBlocks / fromBlocks;
      return new TraceEntry.Run(
          Math.clamp((long) (run.block() * part), 0, toBlocks - blocks), blocks);
    }
  }
}
