package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfinementTest {
  /** A Java program of many threads that runs until its input ends. */
  private static final String WAITS =
      """
      void main() throws Exception {
        System.in.read();
      }
      """;

  @Test
  void listsOfCoresAreRead() {
    assertEquals("{0, 2, 3}", Confinement.parse("0,2-3").toString());
    assertEquals("{1}", Confinement.parse("1").toString());
  }

  @Test
  void allThreadsOfARunningProcessAreConfinedAndLetGo(@org.junit.jupiter.api.io.TempDir Path folder)
      throws Exception {
    Cores cores = Cores.find();
    Path program = Files.writeString(folder.resolve("Waits.java"), WAITS);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process = new ProcessBuilder(java, program.toString()).start();
    try {
      cores.confine(process.pid(), "0");
      if (cores.taskset() == null) {
        assertEquals(List.of(), cores.jvmFlags("0"), "nothing is promised that cannot be kept");
        return;
      }
      assertEquals(List.of("-XX:ActiveProcessorCount=2"), cores.jvmFlags(Cores.ALL));
      assertEquals(List.of(), Confinement.free(process.pid(), "0"));
      assertFalse(Confinement.free(process.pid(), "1").isEmpty());
      cores.confine(process.pid(), Cores.ALL);
      assertEquals(List.of(), Confinement.free(process.pid(), "0-1"));
      assertTrue(process.isAlive());
    } finally {
      process.destroy();
      process.waitFor();
    }
  }
}
