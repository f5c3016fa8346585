package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.upcall.segment.Overlay;
import org.junit.jupiter.api.Test;

/** What was unplaced at a moment, as far as that is known. */
class UnplacedVersionsTest {
  private static final long SEGMENT = 12;

  private final UnplacedVersions versions = new UnplacedVersions();
  private final Overlay first = Overlay.EMPTY.with(new Overlay.Part(0, 1, new StampedLease(0), 0));
  private final Overlay second = first.with(new Overlay.Part(1, 1, new StampedLease(0), 0));

  @Test
  void whatNeverWasIsEmptyAtEachMoment() {
    assertSame(Overlay.EMPTY, versions.at(SEGMENT, 0));
    assertEquals(0, versions.sinceScn(SEGMENT));
  }

  @Test
  void whatCameLaterIsNotKnownForTheTimeBefore() {
    versions.changed(SEGMENT, first, 10);
    assertNull(versions.at(SEGMENT, 9));
    assertSame(first, versions.at(SEGMENT, 10));
    versions.changed(SEGMENT, second, 20);
    assertNull(versions.at(SEGMENT, 19), "what was replaced is not kept");
    assertSame(second, versions.at(SEGMENT, 25));
    assertEquals(20, versions.sinceScn(SEGMENT));
  }

  @Test
  void whatWasPlacedIsNotTakenForWhatNeverWas() {
    versions.changed(SEGMENT, first, 10);
    versions.changed(SEGMENT, Overlay.EMPTY, 30);
    assertNull(versions.at(SEGMENT, 29));
    assertSame(Overlay.EMPTY, versions.at(SEGMENT, 30));
    assertEquals(0, versions.sinceScn(SEGMENT));
  }

  @Test
  void aSegmentInTheSamePlaceIsAtMostNotKnown() {
    versions.changed(SEGMENT, first, 10);
    assertNull(versions.at(SEGMENT + (1 << 12), 9));
    assertSame(Overlay.EMPTY, versions.at(SEGMENT + (1 << 12), 10));
  }

  @Test
  void whatWasForgottenIsNotTakenForPlaced() {
    versions.changed(SEGMENT, first, 10);
    versions.clear();
    assertNull(versions.at(SEGMENT, 10), "who looks on after the closing sees no hole");
    assertEquals(0, versions.sinceScn(SEGMENT));
  }
}
