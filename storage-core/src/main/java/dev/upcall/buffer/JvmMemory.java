package dev.upcall.buffer;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM allows. */
final class JvmMemory {
  private JvmMemory() {}

  /** The limit of direct memory in bytes, of which others may have used some. */
  static long directLimitBytes() {
    HotSpotDiagnosticMXBean hotSpot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long option = Long.parseLong(hotSpot.getVMOption("MaxDirectMemorySize").getValue());
    // Without the option the limit is the heap's.
    return option > 0 ? option : Runtime.getRuntime().maxMemory();
  }
}
