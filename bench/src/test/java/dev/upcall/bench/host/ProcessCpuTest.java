package dev.upcall.bench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.harness.Fields;
import dev.upcall.specweb.run.Steadiness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessCpuTest {
  @Test
  void namesMayHoldBlanksAndBrackets() {
    String stat = "4711 (C2 Comp (x) 0) S 1 2 3 0 -1 64 9 0 0 0 150 25 7 7 20 0 1 0 99 0";
    assertEquals(1.75, ProcessCpu.parse(stat), 1e-9);
  }

  @Test
  void thisProcessHasTakenSomeTimeAndMemory() throws Exception {
    long pid = ProcessHandle.current().pid();
    assertTrue(ProcessCpu.seconds(pid) > 0);
    assertTrue(ProcessCpu.residentBytes(pid) > 1 << 20);
    List<String> compilers = List.of("C1 Comp", "C2 Comp");
    assertTrue(
        ProcessCpu.threadSeconds(pid, compilers).size() > 0,
        "this JVM compiles with threads of its own");
    assertEquals(Map.of(), ProcessCpu.threadSeconds(pid, List.of("nobody")));
  }

  @Test
  void compilerThreadsComeAndGo() {
    Map<String, Double> before = Map.of("1", 5.0, "2", 1.0);
    Map<String, Double> after = Map.of("2", 1.5, "3", 0.25);
    assertEquals(0.75, ThreadWatch.added(before, after), 1e-9);
  }

  @Test
  void throughputThatChangesNoMoreIsSteady() {
    assertTrue(Double.isNaN(Steadiness.drift(List.of(100.0, 100.0, 100.0))), "too few to tell");
    assertEquals(0.5, Steadiness.drift(List.of(1.0, 100.0, 100.0, 150.0, 150.0)), 1e-9);
    assertEquals(0, Steadiness.drift(List.of(1.0, 90.0, 110.0, 110.0, 90.0)), 1e-9);
  }

  @Test
  void whatScattersIsSteadyWhenItsHalvesAreAlike() {
    assertTrue(Steadiness.isSteady(List.of(1.0, 100.0, 100.0, 101.0, 101.0)));
    List<Double> scatters =
        List.of(60.0, 140.0, 90.0, 120.0, 70.0, 110.0, 95.0, 150.0, 60.0, 80.0, 140.0, 90.0);
    assertTrue(Steadiness.drift(scatters) > 0.05);
    assertTrue(Steadiness.isSteady(scatters));
    assertFalse(Steadiness.isSteady(scatters.subList(1, 12)), "too few to tell");
    List<Double> rises = new ArrayList<>(scatters);
    for (int i = 0; i < rises.size(); i++) {
      rises.set(i, rises.get(i) + 10 * i);
    }
    assertFalse(Steadiness.isSteady(rises), "the second half is better by more than the limit");
    List<Double> steps =
        List.of(100.0, 101.0, 100.0, 101.0, 100.0, 101.0, 110.0, 111.0, 99.0, 99.0, 120.0, 119.0);
    assertFalse(Steadiness.isSteady(steps), "the difference is small, but no accident");
  }

  @Test
  void linesOfFields() {
    Fields fields = Fields.parse("ran units=12 p50=3.5 path=/a=b");
    assertEquals("ran", fields.word());
    assertEquals(12, fields.number("units"));
    assertEquals(3.5, fields.decimal("p50"));
    assertEquals("/a=b", fields.text("path"));
    assertThrows(IllegalArgumentException.class, () -> fields.text("none"));
  }
}
