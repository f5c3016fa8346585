package dev.upcall.fileman.blocking;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** Whether this process may open as many files as a store takes. */
public final class Descriptors {
  /** Files and rings of a store on either disk, and what the JVM opens for a moment on the way. */
  private static final long NEEDED = 32;

  private Descriptors() {}

  /** Refuses to open a volume with too few of them: what then fails says nothing of the cause. */
  public static void check(Path volume) {
    UnixOperatingSystemMXBean system =
        ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
    long most = system.getMaxFileDescriptorCount();
    long open = Math.clamp(open(system, most), 0, most);
    if (most - open < NEEDED) {
      throw UpcallException.of(
          new Failure.Device(
              "opening " + volume,
              ("this process may have %d files open (ulimit -n) and has %d, and a store takes up"
                      + " to %d more; raise the limit")
                  .formatted(most, open, NEEDED)));
    }
  }

  private static long open(UnixOperatingSystemMXBean system, long most) {
    try {
      return system.getOpenFileDescriptorCount();
    } catch (InternalError noneLeft) {
      // Counting takes one.
      return most;
    }
  }
}
