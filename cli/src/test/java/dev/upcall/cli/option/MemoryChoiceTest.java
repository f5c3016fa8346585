package dev.upcall.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallConfig;
import org.junit.jupiter.api.Test;

/** Budgets and what they leave to the process, for machines and control groups of all sizes. */
class MemoryChoiceTest {
  private static final long MIB = 1 << 20;

  @Test
  void whatDoesNotFitIsSaid() {
    assertNull(MemoryChoice.excess(256 * MIB, 512 * MIB));
    String said = MemoryChoice.excess(384 * MIB, 512 * MIB);
    assertTrue(said != null && said.contains("384 MiB") && said.contains("512 MiB"), said);
    assertTrue(said.endsWith("--memory 256 MiB would fit"), said);
    String hopeless = MemoryChoice.excess(UpcallConfig.MIN_MEMORY_BYTES, 128 * MIB);
    assertTrue(hopeless != null && hopeless.endsWith("give it more"), hopeless);
  }

  /** What the store takes is compared with what it may take, and both are said. */
  @Test
  void aHeapThatIsTooSmallIsSaidWithBothSides() {
    assertEquals(278 * MIB, MemoryChoice.checked(278 * MIB, 139 * MIB, 1024 * MIB, 2048 * MIB));
    String said = refused(320 * MIB, 139 * MIB, 1024 * MIB);
    assertEquals(
        "--memory 320 MiB takes 80 MiB of the Java heap, which may grow to 139 MiB and of which a"
            + " store takes half at most; take --memory 278m or less, or set"
            + " UPCALL_JAVA_OPTS=-Xmx160m",
        said);
    assertEquals(320 * MIB, MemoryChoice.checked(320 * MIB, 160 * MIB, 1024 * MIB, 2048 * MIB));
    assertTrue(refused(512 * MIB, 139 * MIB, 200 * MIB).contains("--memory 200m or less"), said);
    String beside = refused(256 * MIB, 139 * MIB, 200 * MIB);
    assertTrue(beside.contains("200 MiB outside the Java heap"), beside);
  }

  private static String refused(long bytes, long heapBytes, long directBytes) {
    return String.valueOf(
        assertThrows(
                CommandFailure.class,
                () -> MemoryChoice.checked(bytes, heapBytes, directBytes, 2048 * MIB))
            .getMessage());
  }

  @Test
  void theDefaultLeavesRoomForTheProcess() {
    assertEquals(1024 * MIB, MemoryChoice.standardBytes(64L << 30, 16L << 30));
    assertEquals(64 * MIB, MemoryChoice.standardBytes(512 * MIB, 128 * MIB));
    assertEquals(32 * MIB, MemoryChoice.standardBytes(288 * MIB, 128 * MIB));
    assertEquals(20 * MIB, MemoryChoice.standardBytes(64L << 30, 20 * MIB));
    assertEquals(
        UpcallConfig.MIN_MEMORY_BYTES & -MIB, MemoryChoice.standardBytes(64 * MIB, 16 * MIB));
    for (long machine = 300 * MIB; machine < 64L << 30; machine += 77 * MIB) {
      assertNull(MemoryChoice.excess(MemoryChoice.standardBytes(machine, 1L << 30), machine));
    }
  }
}
