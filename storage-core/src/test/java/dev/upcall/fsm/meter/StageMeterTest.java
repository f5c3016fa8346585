package dev.upcall.fsm.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.base.ManualClock;
import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.fsm.record.RecordRing;
import dev.upcall.fsm.record.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageMeterTest {
  private static final long REQUEST = 2;

  private final ManualClock clock = new ManualClock();
  private final RecordRing ring = new RecordRing(64);
  private final StageMeter meter = new StageMeter(clock, ring);

  private StageMeter.Sample issued() {
    return issued(REQUEST);
  }

  private StageMeter.Sample issued(long request) {
    StageMeter.Sample sample = meter.issued();
    assertNotNull(sample);
    sample.begun(request);
    return sample;
  }

  private void stamp(Stage... stages) {
    stamp(REQUEST, stages);
  }

  private void stamp(long request, Stage... stages) {
    for (Stage stage : stages) {
      long head = FlightRecord.head(RecordKind.STAGE, stage.nameIndex(), 0, 0);
      ring.write(clock.monotonicNanos(), request, head, 0, 0, 0);
    }
    ring.publish();
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
    StageMeter.Sample sample = issued();
    clock.advance(1);
    stamp(Stage.REQUESTED);
    clock.advance(2);
    stamp(Stage.STARTED);
    clock.advance(4);
    stamp(Stage.REQUESTED, Stage.STARTED, Stage.FINISHED);
    clock.advance(8);
    stamp(Stage.FOUND, Stage.POSTED);
    clock.advance(16);
    meter.handled(sample);
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
    StageMeter.Sample sample = issued();
    stamp(Stage.REQUESTED, Stage.STARTED);
    clock.advance(5);
    stamp(Stage.FINISHED);
    clock.advance(5);
    stamp(Stage.STARTED, Stage.FINISHED);
    meter.handled(sample);
    assertEquals(List.of(0L, 0L, 10L, 0L, 0L), sums());
  }

  @Test
  void withoutIoTheThreeInTheMiddleFallTogether() {
    meter.stampEvery(1);
    StageMeter.Sample sample = issued();
    clock.advance(3);
    stamp(Stage.FOUND);
    clock.advance(5);
    stamp(Stage.POSTED);
    clock.advance(7);
    meter.handled(sample);
    assertEquals(List.of(3L, 0L, 0L, 5L, 7L), sums());
    assertEquals(0, meter.times().withIo());
  }

  @Test
  void whoWaitsForAnothersLoadHasItStartedWhenItAsked() {
    meter.stampEvery(1);
    StageMeter.Sample sample = issued();
    stamp(Stage.REQUESTED);
    clock.advance(9);
    stamp(Stage.FOUND);
    clock.advance(1);
    meter.handled(sample);
    assertEquals(List.of(0L, 0L, 9L, 0L, 1L), sums(), "nothing is posted to a caller that waits");
    assertEquals(1, meter.times().withIo());
  }

  @Test
  void aRequestThatNeverCameToItsContentIsSkipped() {
    meter.stampEvery(1);
    StageMeter.Sample sample = issued();
    stamp(Stage.POSTED);
    meter.handled(sample);
    StageMeter.Sample half = issued(4);
    stamp(4, Stage.REQUESTED);
    meter.handled(half);
    assertEquals(2, meter.times().skipped());
    assertEquals(0, meter.times().requests());
  }

  @Test
  void stampsOutOfOrderShowAsAResidual() {
    meter.stampEvery(1);
    StageMeter.Sample sample = issued();
    stamp(Stage.POSTED);
    clock.advance(2000);
    stamp(Stage.FOUND);
    meter.handled(sample);
    assertEquals(2000, meter.times().residualNanosMax());
  }

  @Test
  void requestsThatAreUnderWayAreToldApart() {
    meter.stampEvery(1);
    StageMeter.Sample first = issued(2);
    StageMeter.Sample second = issued(4);
    clock.advance(1);
    stamp(2, Stage.FOUND);
    meter.times();
    clock.advance(1);
    stamp(4, Stage.FOUND);
    stamp(6, Stage.FOUND);
    clock.advance(1);
    meter.handled(second);
    meter.handled(first);
    assertEquals(List.of(3L, 0L, 0L, 0L, 3L), sums());
    assertEquals(2, meter.times().requests());
  }

  @Test
  void samplesThatAreFarApartAreGatheredBeforeTheRingLosesThem() {
    meter.stampEvery(1);
    for (int i = 0; i < 20; i++) {
      StageMeter.Sample sample = issued();
      stamp(Stage.FOUND);
      for (int other = 0; other < 20; other++) {
        stamp(8, Stage.POSTED);
      }
      meter.handled(sample);
    }
    assertEquals(20, meter.times().requests());
  }

  @Test
  void whatTheRingHasLostIsSkipped() {
    meter.stampEvery(1);
    StageMeter.Sample sample = issued();
    stamp(Stage.FOUND);
    for (int i = 0; i < 100; i++) {
      stamp(8, Stage.POSTED);
    }
    meter.handled(sample);
    assertEquals(1, meter.times().skipped());
  }
}
