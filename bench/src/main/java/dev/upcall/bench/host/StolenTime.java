package dev.upcall.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time that a virtual machine wanted and did not get, the kernel's <em>steal</em>: its
 * host has others to serve, or holds it to a share. It comes in gaps of many milliseconds, which
 * meet most who has all processors and the device at work: tails then tell of the host.
 */
public final class StolenTime {
  /** Where the kernel tells, in the first line. */
  public static final Path KERNEL = Path.of("/proc/stat");

  /** Behind "cpu": user, nice, system, idle, iowait, irq, softirq, steal. */
  private static final int STEAL_FIELD = 8;

  private final Path statistics;
  private final long beginNanos = System.nanoTime();
  private final double before;

  /** Watches from now on. */
  public StolenTime(Path statistics) throws IOException {
    this.statistics = statistics;
    this.before = seconds(statistics);
  }

  /** The part of a core that was stolen since. */
  public double part() throws IOException {
    double passed = (System.nanoTime() - beginNanos) / 1e9;
    return (seconds(statistics) - before) / passed;
  }

  /** Since the machine started; none where the kernel tells nothing. */
  private static double seconds(Path statistics) throws IOException {
    if (!Files.exists(statistics)) {
      return 0;
    }
    String[] fields = Files.readString(statistics).lines().findFirst().orElse("").split(" +", -1);
    return fields.length > STEAL_FIELD
        ? Double.parseDouble(fields[STEAL_FIELD]) / ProcessCpu.TICKS_PER_SECOND
        : 0;
  }
}
