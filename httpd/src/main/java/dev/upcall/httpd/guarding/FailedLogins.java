package dev.upcall.httpd.guarding;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts, for each address, requests that have shown credentials which nobody has. Forgets the
 * addresses that were first to fail when there are too many. One thread.
 */
public final class FailedLogins {
  /** So many in a minute, and further answers wait. */
  public static final int MAX_IN_MINUTE = 10;

  /** How long they wait. */
  public static final long WAIT_NANOS = 1_000_000_000L;

  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final int MAX_ADDRESSES = 4096;

  private final Map<String, Minute> minutes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Minute> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  /** The failures of one address. */
  private static final class Minute {
    private long sinceNanos;
    private int failures;
  }

  /** Counts one; whether its answer has to wait. */
  public boolean failed(String address, long nowNanos) {
    Minute minute = minutes.computeIfAbsent(address, _ -> new Minute());
    if (minute.failures == 0 || nowNanos - minute.sinceNanos >= MINUTE_NANOS) {
      minute.sinceNanos = nowNanos;
      minute.failures = 0;
    }
    minute.failures++;
    return minute.failures > MAX_IN_MINUTE;
  }
}
