package dev.upcall.bench.ecommerce.volume;

import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.io.Disk;
import dev.upcall.io.trace.BlockProfile;
import java.util.SortedMap;

/**
 * What a run over a store gave.
 *
 * @param plan what was run
 * @param profile the traffic below the scheduler
 * @param writers who wrote how many blocks, and how sequentially
 * @param givenBytes of pages and log that the database gave to the store
 * @param answers what clients got
 * @param selfCheck of the generator
 */
public record StoreResult(
    RunPlan plan,
    BlockProfile profile,
    SortedMap<String, Written> writers,
    long givenBytes,
    RunResult.Answers answers,
    RunResult.SelfCheck selfCheck) {

  /**
   * What one kind of work has written.
   *
   * @param requests how many
   * @param blocks their blocks
   * @param sequential how many began where the write before had ended, whosever that was
   */
  public record Written(long requests, long blocks, long sequential) {
    /** Both together. */
    Written and(Written more) {
      return new Written(
          requests + more.requests, blocks + more.blocks, sequential + more.sequential);
    }
  }

  /** Bytes that the device was made to write for each that was given to the store. */
  public double deviceBytesOfGiven() {
    return givenBytes == 0
        ? Double.NaN
        : (double) profile.writes().blocks() * Disk.BLOCK_BYTES / givenBytes;
  }

  /** The part of one kind of work in the blocks that were written. */
  public double writtenShare(String writer) {
    Written written = writers.get(writer);
    return written == null ? 0 : (double) written.blocks / profile.writes().blocks();
  }
}
