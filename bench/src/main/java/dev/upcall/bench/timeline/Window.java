package dev.upcall.bench.timeline;

import dev.upcall.fsm.record.FlightRecord;
import dev.upcall.fsm.record.RecordKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What happened between two moments, on the clock of the store's thread: what ended in it. Of the
 * device's requests those that began in it, too.
 *
 * @param fromNanos its beginning
 * @param calls what the caller waited for
 * @param turns of the store's thread, with the number of upcalls in {@code what}
 * @param stalls upcalls above the dispatcher's threshold, by what ran
 * @param requests what the device was asked for, by class and operation
 */
public record Window(
    long fromNanos, List<Span> calls, List<Span> turns, List<Span> stalls, List<Span> requests) {
  /** A time, and what went on in it. */
  public record Span(long beganNanos, long endedNanos, String what) {
    /** How long it took. */
    public long nanos() {
      return endedNanos - beganNanos;
    }

    /** Whether another one was going on at some moment of it. */
    public boolean meets(Span other) {
      return other.beganNanos < endedNanos && other.endedNanos > beganNanos;
    }
  }

  /** Copies the lists. */
  public Window {
    calls = List.copyOf(calls);
    turns = List.copyOf(turns);
    stalls = List.copyOf(stalls);
    requests = List.copyOf(requests);
  }

  /**
   * What records say.
   *
   * @param records in their order
   * @param names of the recorder
   */
  static Window of(
      long fromNanos, List<Span> calls, List<FlightRecord> records, List<String> names) {
    List<Span> turns = new ArrayList<>();
    List<Span> stalls = new ArrayList<>();
    List<Span> requests = new ArrayList<>();
    Map<Long, FlightRecord> inFlight = new HashMap<>();
    for (FlightRecord record : records) {
      long at = record.atNanos();
      if (record.kind() == RecordKind.TURN) {
        turns.add(new Span(at - record.extra(), at, record.number() + " upcalls"));
      } else if (record.kind() == RecordKind.STALL) {
        // It is recorded as of its begin; a turn when it has ended.
        stalls.add(new Span(at, at + record.extra(), name(names, record.name())));
      } else if (record.kind() == RecordKind.DISK_REQUEST) {
        inFlight.put(record.number(), record);
      } else if (record.kind() == RecordKind.DISK_COMPLETION) {
        FlightRecord begun = inFlight.remove(record.number());
        if (begun != null) {
          String what = name(names, record.from()) + " " + name(names, record.name());
          requests.add(new Span(begun.atNanos(), at, what));
        }
      }
    }
    return new Window(fromNanos, calls, turns, stalls, requests);
  }

  private static String name(List<String> names, int number) {
    return number < names.size() ? names.get(number) : "unnamed";
  }

  /** The longest call; 0 without any. */
  public long worstNanos() {
    return longest(calls);
  }

  /** The longest of some spans; 0 if there are none. */
  static long longest(List<Span> spans) {
    return spans.stream().mapToLong(Span::nanos).max().orElse(0);
  }

  /** The slowest calls, the slowest first. */
  List<Span> slowest(int limit) {
    return calls.stream()
        .sorted(Comparator.comparingLong(Span::nanos).reversed())
        .limit(limit)
        .toList();
  }

  /** The longest of some spans while a call was waited for, or 0. */
  static long longestDuring(Span call, List<Span> spans) {
    return longest(spans.stream().filter(call::meets).toList());
  }
}
