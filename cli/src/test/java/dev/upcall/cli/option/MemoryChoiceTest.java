package dev.upcall.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fileman.UpcallConfig;
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
