package dev.upcall.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.upcall.fileman.UpcallConfig;
import java.lang.management.ManagementFactory;

/**
 * How much memory a store gets: three quarters of it lie outside the Java heap, a quarter in it.
 */
final class MemoryChoice {
  private static final long MOST_BYTES = 1L << 30;
  private static final long PART_OF_MACHINE = 8;

  private MemoryChoice() {}

  /** What is used unless said otherwise. */
  static long standardBytes() {
    long wanted = Math.min(MOST_BYTES, machineBytes() / PART_OF_MACHINE);
    long allowed = Math.min(heapBytes(), directBytes());
    return Math.max(UpcallConfig.MIN_MEMORY_BYTES, Math.min(wanted, allowed)) & -(1L << 20);
  }

  /** Refuses what the JVM could not give. */
  static long checked(long bytes) {
    if (bytes < UpcallConfig.MIN_MEMORY_BYTES) {
      throw CommandFailure.usage(
          "--memory must be at least %s, not %s"
              .formatted(Sizes.show(UpcallConfig.MIN_MEMORY_BYTES), Sizes.show(bytes)));
    }
    if (bytes / 4 > heapBytes() / 2) {
      throw CommandFailure.usage(
          "--memory %s needs a quarter of it on the Java heap, which has only %s; set"
                  .formatted(Sizes.show(bytes), Sizes.show(heapBytes()))
              + " UPCALL_JAVA_OPTS=-Xmx...");
    }
    if (bytes > directBytes() || bytes > machineBytes()) {
      throw CommandFailure.usage(
          "--memory %s is more than there is: %s in the machine, %s outside the Java heap"
              .formatted(Sizes.show(bytes), Sizes.show(machineBytes()), Sizes.show(directBytes())));
    }
    return bytes;
  }

  /** What the machine, or the container, has. */
  static long machineBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /** What the JVM's heap may grow to. */
  static long heapBytes() {
    return Runtime.getRuntime().maxMemory();
  }

  /** What the JVM allows outside its heap. */
  static long directBytes() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long option = Long.parseLong(hotSpot.getVMOption("MaxDirectMemorySize").getValue());
    return option > 0 ? option : heapBytes();
  }
}
