package dev.upcall.io.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PacingTest {
  private final Pacing pacing = new Pacing(new PacingConfig(1000, 4, 300));

  @Test
  void whereNobodyReadsNobodyRests() {
    pacing.sent(-5);
    pacing.completed(10);
    assertFalse(pacing.isOn(10));
    assertEquals(0, pacing.restNanos(10));
  }

  @Test
  void aReadIsRememberedForTheWindow() {
    pacing.readSeen(-50);
    assertTrue(pacing.isOn(-50));
    assertTrue(pacing.isOn(949));
    assertFalse(pacing.isOn(950));
  }

  @Test
  void restsAMultipleOfWhatARequestTook() {
    pacing.readSeen(0);
    pacing.sent(100);
    assertEquals(0, pacing.restNanos(110), "the first rest begins with the first completion");
    pacing.completed(120);
    assertEquals(80, pacing.restNanos(120));
    assertEquals(30, pacing.restNanos(170));
    assertEquals(0, pacing.restNanos(200));
  }

  @Test
  void noRestIsLongerThanTheLimitNorThanTheWindow() {
    pacing.readSeen(0);
    pacing.sent(0);
    pacing.completed(600);
    assertEquals(300, pacing.restNanos(600));
    pacing.sent(900);
    pacing.completed(990);
    assertEquals(10, pacing.restNanos(990));
    pacing.readSeen(995);
    assertEquals(295, pacing.restNanos(995));
  }

  @Test
  void canBeSwitchedOff() {
    Pacing off = new Pacing(PacingConfig.OFF);
    off.readSeen(0);
    off.sent(0);
    off.completed(100);
    assertFalse(off.isOn(0));
    assertEquals(0, off.restNanos(100));
  }
}
