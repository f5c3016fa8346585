package dev.upcall.fsm.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.base.ManualClock;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageMeterTest {
  private final ManualClock clock = new ManualClock();
  private final StageMeter meter = new StageMeter(clock);

  private StageStamps issued() {
    StageStamps stamps = meter.issued();
    assertNotNull(stamps);
    return stamps;
  }

  private List<Long> sums() {
    return meter.times().stages().stream().map(DistributionSnapshot::sum).toList();
  }

  @Test
  void itIsOffUntilAskedFor() {
    assertNull(meter.issued());
    meter.stampEvery(1);
    assertNotNull(meter.issued());
    meter.stampEvery(0);
    assertNull(meter.issued());
    assertThrows(IllegalArgumentException.class, () -> meter.stampEvery(-1));
  }

  @Test
  void everySoManyth() {
    meter.stampEvery(3);
    int stamped = 0;
    for (int i = 0; i < 30; i++) {
      stamped += meter.issued() == null ? 0 : 1;
    }
    assertEquals(10, stamped);
  }

  @Test
  void aRequestWithIoHasFiveStages() {
    meter.stampEvery(1);
    StageStamps stamps = issued();
    clock.advance(1);
    stamps.ioRequested();
    clock.advance(2);
    stamps.ioStarted();
    clock.advance(4);
    stamps.ioRequested();
    stamps.ioStarted();
    stamps.ioFinished();
    clock.advance(8);
    stamps.foundInMemory();
    stamps.posted();
    clock.advance(16);
    meter.handled(stamps);
    assertEquals(List.of(1L, 2L, 4L, 8L, 16L), sums());
    StageTimes times = meter.times();
    assertEquals(31, times.total().sum());
    assertEquals(1, times.requests());
    assertEquals(1, times.withIo());
    assertEquals(0, times.residualNanosMax());
    meter.stampEvery(1);
    assertEquals(0, meter.times().requests(), "it forgets");
  }

  @Test
  void ofSeveralRequestsToTheDiskTheFirstStartsAndTheLastEnds() {
    meter.stampEvery(1);
    StageStamps stamps = issued();
    stamps.ioRequested();
    stamps.ioStarted();
    clock.advance(5);
    stamps.ioFinished();
    clock.advance(5);
    stamps.ioStarted();
    stamps.ioFinished();
    meter.handled(stamps);
    assertEquals(List.of(0L, 0L, 10L, 0L, 0L), sums());
  }

  @Test
  void withoutIoTheThreeInTheMiddleFallTogether() {
    meter.stampEvery(1);
    StageStamps stamps = issued();
    clock.advance(3);
    stamps.foundInMemory();
    clock.advance(5);
    stamps.posted();
    clock.advance(7);
    meter.handled(stamps);
    assertEquals(List.of(3L, 0L, 0L, 5L, 7L), sums());
    assertEquals(0, meter.times().withIo());
  }

  @Test
  void whoWaitsForAnothersLoadHasItStartedWhenItAsked() {
    meter.stampEvery(1);
    StageStamps stamps = issued();
    stamps.ioRequested();
    clock.advance(9);
    stamps.foundInMemory();
    clock.advance(1);
    meter.handled(stamps);
    assertEquals(List.of(0L, 0L, 9L, 0L, 1L), sums(), "nothing is posted to a caller that waits");
    assertEquals(1, meter.times().withIo());
  }

  @Test
  void aRequestThatNeverCameToItsContentIsSkipped() {
    meter.stampEvery(1);
    StageStamps stamps = issued();
    stamps.posted();
    meter.handled(stamps);
    StageStamps half = issued();
    half.ioRequested();
    meter.handled(half);
    assertEquals(2, meter.times().skipped());
    assertEquals(0, meter.times().requests());
  }

  @Test
  void stampsOutOfOrderShowAsAResidual() {
    meter.stampEvery(1);
    StageStamps stamps = issued();
    stamps.posted();
    clock.advance(2000);
    stamps.foundInMemory();
    meter.handled(stamps);
    assertEquals(2000, meter.times().residualNanosMax());
  }

  @Test
  void theLastStampIsTheFirstThatWasTaken() {
    meter.stampEvery(1);
    StageStamps stamps = issued();
    stamps.foundInMemory();
    clock.advance(4);
    stamps.handled();
    clock.advance(100);
    meter.handled(stamps);
    assertEquals(4, meter.times().total().sum());
  }
}
