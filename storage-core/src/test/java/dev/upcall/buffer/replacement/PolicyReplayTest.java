package dev.upcall.buffer.replacement;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Compares the policies by replaying traces. */
class PolicyReplayTest {
  private static final int CAPACITY = 1_000;

  private record Ratios(double s3Fifo, double lru, double clock) {
    static Ratios of(long[] trace) {
      return new Ratios(
          Replay.hitRatio(new S3FifoPolicy(CAPACITY), CAPACITY, trace),
          Replay.hitRatio(new LruPolicy(CAPACITY), CAPACITY, trace),
          Replay.hitRatio(new ClockPolicy(CAPACITY), CAPACITY, trace));
    }
  }

  @Test
  void theDefaultIsBetterOnSkewedReferences() {
    Ratios ratios = Ratios.of(Replay.zipf(1, 20_000, 200_000));
    assertTrue(ratios.s3Fifo() > ratios.lru() + 0.01, ratios.toString());
    assertTrue(ratios.clock() > ratios.lru() - 0.02, ratios.toString());
  }

  @Test
  void aScanDoesNotEmptyTheDefault() {
    // Each scan is twice the memory, and reads every block 16 times in a row.
    long[] base = Replay.zipf(2, 3_000, 100_000);
    long[] scanned = Replay.withScans(base, 10_000, 2 * CAPACITY, 1);
    Ratios ratios = Ratios.of(scanned);
    assertTrue(ratios.s3Fifo() > ratios.lru() + 0.02, ratios.toString());
    double loss =
        hits(new S3FifoPolicy(CAPACITY), base) - hits(new S3FifoPolicy(CAPACITY), scanned);
    double lruLoss = hits(new LruPolicy(CAPACITY), base) - hits(new LruPolicy(CAPACITY), scanned);
    assertTrue(loss < lruLoss / 2, "lost %f, LRU %f".formatted(loss, lruLoss));
  }

  @Test
  void readingABlockInSmallPiecesDoesNotMakeItPopular() {
    long[] base = Replay.zipf(3, 3_000, 100_000);
    double once = hits(new S3FifoPolicy(CAPACITY), Replay.withScans(base, 10_000, 2 * CAPACITY, 1));
    long[] pieces = Replay.withScans(base, 10_000, 2 * CAPACITY, 16);
    // Of 16 references to a scanned block 15 are hits for any policy.
    double inPieces = hits(new S3FifoPolicy(CAPACITY), pieces) - 10 * 2 * CAPACITY * 15;
    assertTrue(Math.abs(once - inPieces) < 0.01 * once, once + " and " + inPieces);
  }

  private static double hits(ReplacementPolicy policy, long[] trace) {
    return Replay.hitRatio(policy, CAPACITY, trace) * trace.length;
  }
}
