package dev.upcall.specweb.run;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Processor time that has gone by.
 *
 * @param generatorSeconds of this process, compiler and collector included
 * @param serverSeconds of the server's processes, as far as they were named
 * @param collectorMillis pauses of this process's collector
 */
public record Cost(double generatorSeconds, double serverSeconds, long collectorMillis) {
  /** Clock ticks of {@code /proc} in a second, on every Linux that Java runs on. */
  private static final double TICKS_PER_SECOND = 100;

  /** Where user time stands behind the name in a {@code stat} line; system time follows. */
  private static final int USER_FIELD = 11;

  /** All until now; differences of two are what was between them. */
  static Cost now(List<Long> serverPids) throws IOException {
    double server = 0;
    for (long pid : serverPids) {
      server += processSeconds(Path.of("/proc", Long.toString(pid), "stat"));
    }
    long pauses = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      pauses += Math.max(0, collector.getCollectionTime());
    }
    return new Cost(processSeconds(Path.of("/proc/self/stat")), server, pauses);
  }

  private static double processSeconds(Path stat) throws IOException {
    String line = Files.readString(stat);
    String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" +", -1);
    long ticks = Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1]);
    return ticks / TICKS_PER_SECOND;
  }

  /** What this is more than an earlier one. */
  Cost since(Cost earlier) {
    return new Cost(
        generatorSeconds - earlier.generatorSeconds,
        serverSeconds - earlier.serverSeconds,
        collectorMillis - earlier.collectorMillis);
  }
}
