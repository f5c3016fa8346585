package dev.upcall.bench.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MemoryGroupTest {
  /** Where the kernel lets us have none it says why, and nothing is left. */
  @Test
  void takesAProcessIn_orSaysWhyNot() throws Exception {
    String name = "upcall-test-" + ProcessHandle.current().pid();
    Process child = new ProcessBuilder("sleep", "60").start();
    try (MemoryGroup group = MemoryGroup.create(name, 64L << 20)) {
      group.take(child.pid());
      String groups = Files.readString(Path.of("/proc", Long.toString(child.pid()), "cgroup"));
      assertTrue(groups.contains(name), groups);
      child.destroyForcibly().waitFor();
    } catch (IOException impossible) {
      assertTrue(impossible.getMessage().contains("control group"), impossible::toString);
    } finally {
      child.destroyForcibly().waitFor();
    }
    String own = Files.readString(Path.of("/proc/self/cgroup"));
    assertTrue(!own.contains(name), own);
  }
}
