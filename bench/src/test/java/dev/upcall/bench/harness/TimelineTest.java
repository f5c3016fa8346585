package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
  @Test
  void whatAWorkerSaysIsUnderstood() {
    Timeline timeline = new Timeline(10, List.of(0L, 120L, 0L, 7L));
    assertEquals("10:,120,,7", timeline.text());
    assertEquals(timeline, Timeline.parse(timeline.text()));
    assertEquals(new Timeline(10, List.of(0L)), Timeline.parse("10:"));
    assertTrue(Timeline.NONE.isEmpty());
  }
}
