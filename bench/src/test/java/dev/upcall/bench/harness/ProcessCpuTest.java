package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    assertTrue(
        ProcessCpu.compilerSeconds(pid).size() > 0, "this JVM compiles with threads of its own");
  }

  @Test
  void compilerThreadsComeAndGo() {
    Map<String, Double> before = Map.of("1", 5.0, "2", 1.0);
    Map<String, Double> after = Map.of("2", 1.5, "3", 0.25);
    assertEquals(0.75, Warmup.added(before, after), 1e-9);
  }

  @Test
  void throughputThatChangesNoMoreIsSteady() {
    assertTrue(Double.isNaN(Warmup.drift(List.of(100.0, 100.0, 100.0))), "too few to tell");
    assertEquals(0.5, Warmup.drift(List.of(1.0, 100.0, 100.0, 150.0, 150.0)), 1e-9);
    assertEquals(0, Warmup.drift(List.of(1.0, 90.0, 110.0, 110.0, 90.0)), 1e-9);
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
