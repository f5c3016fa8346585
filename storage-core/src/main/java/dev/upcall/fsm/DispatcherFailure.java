package dev.upcall.fsm;

import dev.upcall.completion.Failure;
import dev.upcall.fsm.meter.DispatcherMetrics;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why a dispatcher stopped by itself: a programmer's error, with the state kept for diagnosis.
 *
 * @param dispatcher the dispatcher's name
 * @param culprit the class of the upcall, port or step of the turn that threw
 * @param error what was thrown
 * @param atNanos when that upcall began, on the dispatcher's monotonic clock
 * @param lastRecords what the flight recorder has of this dispatcher's end, oldest first
 * @param waitingUpcalls the names of the first upcalls that were waiting and never ran
 * @param metrics the counters at that time
 */
public record DispatcherFailure(
    String dispatcher,
    String culprit,
    Throwable error,
    long atNanos,
    List<String> lastRecords,
    List<String> waitingUpcalls,
    DispatcherMetrics metrics) {

  /** Copies the lists. */
  public DispatcherFailure {
    Objects.requireNonNull(dispatcher, "dispatcher");
    Objects.requireNonNull(culprit, "culprit");
    Objects.requireNonNull(error, "error");
    Objects.requireNonNull(lastRecords, "lastRecords");
    Objects.requireNonNull(waitingUpcalls, "waitingUpcalls");
    Objects.requireNonNull(metrics, "metrics");
    lastRecords = List.copyOf(lastRecords);
    waitingUpcalls = List.copyOf(waitingUpcalls);
  }

  /** The error, in words for those who hear that the dispatcher has stopped. */
  public String cause() {
    return cause(error);
  }

  /** As {@link #cause()}, and what to do where that is known. */
  public static String cause(Throwable error) {
    String words = Objects.requireNonNull(error, "error").toString();
    boolean ofHeap = words.contains("Java heap space") || words.contains("GC overhead");
    return ofHeap ? words + " (give the JVM more: -Xmx)" : words;
  }

  /**
   * The failure of what is asked of something whose dispatcher has ended.
   *
   * @param what it is
   * @param cause why the dispatcher stopped by itself, or null
   */
  public static Failure closed(String what, @Nullable Throwable cause) {
    Objects.requireNonNull(what, "what");
    return new Failure.Closed(
        cause == null ? what : what + ", whose thread was stopped by " + cause(cause) + ",");
  }

  /** All of it as text for a log or a bug report. */
  public String report() {
    StringBuilder text = new StringBuilder();
    text.append(dispatcher).append(" stopped: ").append(culprit).append(" threw ").append(error);
    text.append("\nlast records, oldest first:");
    for (String line : lastRecords) {
      text.append("\n  ").append(line);
    }
    text.append("\nupcalls that were waiting:");
    for (String waiting : waitingUpcalls) {
      text.append("\n  ").append(waiting);
    }
    return text.append('\n').append(metrics).append('\n').toString();
  }
}
