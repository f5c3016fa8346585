package dev.upcall.bench.workload;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * How many carriers virtual threads hold while something runs: those that run, and those that wait
 * in the kernel with their carriers, as who reads a file does. It looks every few milliseconds, on
 * a thread of its own.
 */
public final class CarrierWatch {
  private static final long LOOK_MILLIS = 5;

  private final VirtualThreadSchedulerMXBean scheduler =
      ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  private final Thread thread = Thread.ofPlatform().daemon().name("carriers").unstarted(this::look);
  private int most;
  private long sum;
  private long looks;

  /** Begins to look. */
  public static CarrierWatch start() {
    CarrierWatch watch = new CarrierWatch();
    watch.thread.start();
    return watch;
  }

  private void look() {
    try {
      while (true) {
        int held = scheduler.getMountedVirtualThreadCount();
        most = Math.max(most, held);
        sum += held;
        looks++;
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException ended) {
      // What was seen until now is what was asked for.
      looks = Math.max(1, looks);
    }
  }

  /** Ends it; what was seen, in the form of {@link dev.upcall.bench.harness.Fields}. */
  public String end() throws InterruptedException {
    thread.interrupt();
    thread.join();
    return String.format(
        Locale.ROOT,
        " carriers-held=%.2f most-carriers-held=%d carriers=%d",
        (double) sum / Math.max(1, looks),
        most,
        scheduler.getPoolSize());
  }
}
