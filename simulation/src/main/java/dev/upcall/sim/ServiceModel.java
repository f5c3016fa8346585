package dev.upcall.sim;

import dev.upcall.base.Clock;
import java.util.SplittableRandom;

/**
 * A kind of device, as far as time goes: immutable, so that machines that follow each other share
 * it.
 */
public interface ServiceModel {
  /** A device of this kind that has nothing to do. */
  ServiceTime start(SimReactor reactor, Clock clock, SplittableRandom random);

  /** The largest device of this kind, in blocks. */
  default long maxBlocks() {
    return Long.MAX_VALUE;
  }
}
