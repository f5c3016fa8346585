package dev.upcall.cli.option;

import com.sun.management.OperatingSystemMXBean;
import dev.upcall.UpcallConfig;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * How much memory a store gets: three quarters of it lie outside the Java heap, a quarter in it.
 * The process needs {@link #FIXED_BYTES} besides.
 */
public final class MemoryChoice {
  /**
   * What a serving process takes besides the store's memory, at most: the young generation of the
   * heap, code, classes, the JVM's own, and what some hundred clients send. {@code
   * ServingMemoryTest} holds it.
   */
  public static final long FIXED_BYTES = 256L << 20;

  private static final long MOST_BYTES = 1L << 30;
  private static final long PART_OF_MACHINE = 8;

  private MemoryChoice() {}

  /** What is used unless said otherwise. */
  public static long standardBytes() {
    return standardBytes(machineBytes(), UpcallConfig.usualMemoryBytes());
  }

  static long standardBytes(long machineBytes, long allowedBytes) {
    long wanted = Math.min(machineBytes / PART_OF_MACHINE, machineBytes - FIXED_BYTES);
    long possible = Math.min(Math.min(MOST_BYTES, wanted), allowedBytes);
    return Math.max(UpcallConfig.MIN_MEMORY_BYTES, possible) & -(1L << 20);
  }

  /** What is to be said about a memory with which the process does not fit, or null. */
  public static @Nullable String excess(long bytes, long machineBytes) {
    if (bytes <= machineBytes - FIXED_BYTES) {
      return null;
    }
    long fits = (machineBytes - FIXED_BYTES) & -(1L << 20);
    String advice =
        fits < UpcallConfig.MIN_MEMORY_BYTES
            ? "give it more"
            : "--memory " + Sizes.show(fits) + " would fit";
    return "warning: a store with %s and the %s of its process are more than the %s of this machine or its control group; %s"
        .formatted(Sizes.show(bytes), Sizes.show(FIXED_BYTES), Sizes.show(machineBytes), advice);
  }

  /** Refuses what the JVM could not give. */
  public static long checked(long bytes) {
    return checked(
        bytes, UpcallConfig.heapLimitBytes(), UpcallConfig.directLimitBytes(), machineBytes());
  }

  static long checked(long bytes, long heapBytes, long directBytes, long machineBytes) {
    if (bytes < UpcallConfig.MIN_MEMORY_BYTES) {
      throw CommandFailure.usage(
          "--memory must be at least %s, not %s"
              .formatted(Sizes.show(UpcallConfig.MIN_MEMORY_BYTES), Sizes.show(bytes)));
    }
    if (bytes / 4 > heapBytes / 2) {
      throw CommandFailure.usage(
          ("--memory %s takes %s of the Java heap, which may grow to %s and of which a store takes"
                  + " half at most; take --memory %dm or less, or set UPCALL_JAVA_OPTS=-Xmx%dm")
              .formatted(
                  Sizes.show(bytes),
                  Sizes.show(bytes / 4),
                  Sizes.show(heapBytes),
                  Math.min(Math.min(2 * heapBytes, directBytes), machineBytes) >> 20,
                  (bytes / 2 + (1L << 20) - 1) >> 20));
    }
    if (bytes > directBytes || bytes > machineBytes) {
      throw CommandFailure.usage(
          "--memory %s is more than there is: %s in the machine, %s outside the Java heap"
              .formatted(Sizes.show(bytes), Sizes.show(machineBytes), Sizes.show(directBytes)));
    }
    return bytes;
  }

  /** What the machine has, or the control group that the process is in. */
  public static long machineBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }
}
