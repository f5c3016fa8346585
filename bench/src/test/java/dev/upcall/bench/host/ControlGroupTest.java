package dev.upcall.bench.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlGroupTest {
  private static final String NAME = "upcall-test-" + ProcessHandle.current().pid();

  /** Makes a group, where this process may. */
  private interface Maker {
    ControlGroup make() throws IOException;
  }

  @Test
  void ofMemory_takesAProcessIn_orSaysWhyNot() throws Exception {
    takesAProcessIn_orSaysWhyNot(() -> ControlGroup.ofMemory(NAME, 64L << 20));
  }

  /** Of the files in {@code /proc} the kernel knows no device, as of those of a container. */
  @ParameterizedTest
  @ValueSource(strings = {"", "/proc"})
  void ofADevice_takesAProcessIn_orSaysWhyNot(String folder) throws Exception {
    takesAProcessIn_orSaysWhyNot(
        () -> ControlGroup.ofDevice(NAME, DeviceTraffic.disk(Path.of(folder)), 1 << 20, 2 << 20));
  }

  /** Where the kernel lets us have none it says why, and nothing is left. */
  private static void takesAProcessIn_orSaysWhyNot(Maker maker) throws Exception {
    Process child = new ProcessBuilder("sleep", "60").start();
    try (ControlGroup group = maker.make()) {
      group.take(child.pid());
      String groups = Files.readString(Path.of("/proc", Long.toString(child.pid()), "cgroup"));
      assertTrue(groups.contains(NAME), groups);
      child.destroyForcibly().waitFor();
    } catch (IOException impossible) {
      assertTrue(
          impossible.getMessage().contains("control group")
              || impossible.getMessage().startsWith("the kernel knows no device of "),
          impossible::toString);
    } finally {
      child.destroyForcibly().waitFor();
    }
    String own = Files.readString(Path.of("/proc/self/cgroup"));
    assertTrue(!own.contains(NAME), own);
  }
}
