package dev.upcall.bench.ecommerce.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CheckpointReadersTest {
  private static final long ALONE_NANOS = 500_000_000;

  @Test
  void readersGoOnBesideACheckpointAndASeedIsARun() {
    CheckpointReaders.Result ours = CheckpointReaders.run(Policy.FAIR_SHARES, 1, 3, ALONE_NANOS);
    assertEquals(ours, CheckpointReaders.run(Policy.FAIR_SHARES, 1, 3, ALONE_NANOS));
    assertTrue(ours.aloneNanos() > 1_000_000, "heads move: " + ours);
    assertTrue(ours.reads() > 20, ours.toString());
    assertTrue(ours.ratio() < 3, ours.toString());
  }

  @Test
  void theBackgroundOfDeadlineDoesNotRest() {
    CheckpointReaders.Result ours = CheckpointReaders.run(Policy.FAIR_SHARES, 1, 3, ALONE_NANOS);
    CheckpointReaders.Result deadline = CheckpointReaders.run(Policy.DEADLINE, 1, 3, ALONE_NANOS);
    assertTrue(deadline.checkpointNanos() < ours.checkpointNanos(), deadline + ", " + ours);
  }
}
