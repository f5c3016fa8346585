package dev.upcall.io.trace;

import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.io.Disk;

/**
 * What the requests of one direction were like.
 *
 * @param requests how many
 * @param blocks their blocks
 * @param sequential how many began where the one before of this direction had ended
 * @param sequentialToAny how many began where the one before of either direction had ended
 * @param sizes how many blocks each had
 * @param distances how many blocks lay between the end of one and the begin of the next
 * @param waits for how long each was held back before it was submitted, in nanoseconds
 */
public record DirectionProfile(
    long requests,
    long blocks,
    long sequential,
    long sequentialToAny,
    DistributionSnapshot sizes,
    DistributionSnapshot distances,
    DistributionSnapshot waits) {
  private static final int SECTOR_BYTES = 512;

  /** What moved, in sectors of 512 bytes. */
  public long sectors() {
    return blocks * (Disk.BLOCK_BYTES / SECTOR_BYTES);
  }

  /** The part of requests that continued the one before, from 0 to 1. */
  public double sequentiality() {
    return requests == 0 ? 0 : (double) sequential / requests;
  }

  /** The same if requests of both directions count as the one before. */
  public double sequentialityToAny() {
    return requests == 0 ? 0 : (double) sequentialToAny / requests;
  }

  /** Runs of requests of which all but the first continue the one before. */
  public long streams() {
    return requests - sequential;
  }

  /** The mean size of a stream in sectors; 0 without requests. */
  public double meanStreamSectors() {
    return requests == 0 ? 0 : (double) sectors() / streams();
  }
}
