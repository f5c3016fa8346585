package dev.upcall.cli.admin;

import dev.upcall.locks.LockWait;
import dev.upcall.metrics.MeterReading;
import dev.upcall.metrics.MeterSection;
import java.util.List;
import java.util.Locale;

/** Names, units and meanings of the meters of the locks for which threads wait. */
record LockMeters(List<LockWait> waits) implements MeterSection {
  /** Copies the list. */
  LockMeters {
    waits = List.copyOf(waits);
  }

  @Override
  public void addTo(MeterReading to) {
    waits.forEach(wait -> add(wait, to));
  }

  private static void add(LockWait wait, MeterReading to) {
    String p = "upcall.threads.lock.";
    String lock = wait.lock().name().toLowerCase(Locale.ROOT);
    to.count(
        p + "waits", "waits", "times that a thread found a lock taken", wait.waits(), "lock", lock);
    to.time(p + "waited", "how long threads waited for it", wait.waitedNanos(), "lock", lock);
  }
}
