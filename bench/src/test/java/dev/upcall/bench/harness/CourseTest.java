package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class CourseTest {
  private static Course course(List<Long> units) {
    return new Course(units, Timeline.NONE);
  }

  @Test
  void theLastWholeHalfMinuteStandsBesideTheFirst() {
    List<Long> units = new ArrayList<>(Collections.nCopies(30, 1_000L));
    units.addAll(Collections.nCopies(540, 7L));
    units.addAll(Collections.nCopies(30, 400L));
    units.add(1L);
    assertEquals(0.4, course(units).kept(), 1e-9);
  }

  @Test
  void ofAShortRunItIsTheHalves() {
    assertEquals(0.5, course(List.of(10L, 30L, 99L, 12L, 8L, 2L)).kept(), 1e-9);
    assertEquals(3, course(List.of(1L, 3L, 0L)).kept(), 1e-9);
    assertEquals(Double.NaN, course(List.of(5L, 5L)).kept());
    assertEquals(Double.NaN, Course.NONE.kept());
  }

  @Test
  void whatAWorkerSaysIsRead() {
    for (List<Long> units : List.of(List.<Long>of(), List.of(3L), List.of(3L, 0L, 5L))) {
      Course said = new Course(units, new Timeline(10, List.of(8L, 0L)));
      assertEquals(said, Course.parse(Fields.parse("ran units=8 " + said.text())));
    }
  }
}
