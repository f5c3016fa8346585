package dev.upcall.fileman.blocking;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether this process may open as many files as a store takes. */
public final class Descriptors {
  /** Files and rings of a store on either disk, and what the JVM opens for a moment on the way. */
  private static final long NEEDED = 32;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path TABLE = Path.of("/proc/self/fd");
  private static final String ROW = "Max open files";

  private Descriptors() {}

  /** Refuses to open a volume with too few of them: what then fails says nothing of the cause. */
  public static void check(Path volume) {
    Count count = count();
    if (count.most() - count.open() < NEEDED) {
      throw UpcallException.of(
          new Failure.Device(
              "opening " + volume,
              ("this process may have %d files open (ulimit -n) and has %d, and a store takes up"
                      + " to %d more; raise the limit")
                  .formatted(count.most(), count.open(), NEEDED)));
    }
  }

  /** The kernel says it in text: the JDK's bean looks at all that a container limits first. */
  private static Count count() {
    try {
      String limits = Files.readString(LIMITS);
      String[] open = TABLE.toFile().list();
      int row = limits.indexOf(ROW);
      if (open != null && row >= 0) {
        String[] columns = limits.substring(row + ROW.length()).strip().split(" ", 2);
        long most = columns[0].equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(columns[0]);
        return new Count(Math.min(open.length, most), most);
      }
    } catch (IOException notThere) {
      // Another system, or not one descriptor is left to look with: the JVM counts.
    }
    return countOfJvm();
  }

  private static Count countOfJvm() {
    UnixOperatingSystemMXBean system =
        ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
    long most = system.getMaxFileDescriptorCount();
    return new Count(Math.clamp(open(system, most), 0, most), most);
  }

  private static long open(UnixOperatingSystemMXBean system, long most) {
    try {
      return system.getOpenFileDescriptorCount();
    } catch (InternalError noneLeft) {
      // Counting takes one.
      return most;
    }
  }

  private record Count(long open, long most) {}
}
