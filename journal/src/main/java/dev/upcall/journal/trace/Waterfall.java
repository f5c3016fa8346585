package dev.upcall.journal.trace;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request from its begin to its end: the states of the machines that worked on it, the device,
 * and what it came past; also of work that served it among others, from when it joined that on.
 *
 * @param begin none when it is not recorded any more
 * @param end none when it has not ended yet, or that was not recorded
 * @param fromNanos when it began, as far as is known
 * @param toNanos when it ended, or its last record
 * @param steps by their begins
 */
public record Waterfall(
    Optional<TraceRecord> begin,
    Optional<TraceRecord> end,
    long fromNanos,
    long toNanos,
    Steps steps) {

  /** The most steps that are kept. */
  private static final int MOST = 10_000;

  /** Checks that nothing is missing. */
  public Waterfall {
    Objects.requireNonNull(begin, "begin");
    Objects.requireNonNull(end, "end");
    Objects.requireNonNull(steps, "steps");
  }

  /**
   * What it went through.
   *
   * @param list by their begins
   * @param leftOut steps above the most that are kept
   */
  public record Steps(List<Step> list, long leftOut) {
    /** Copies the list. */
    public Steps {
      list = List.copyOf(list);
    }
  }

  /**
   * A stay in a state, a request of the device, or a point.
   *
   * @param record with which it begins
   * @param fromNanos when that was
   * @param toNanos when it was over; as {@code fromNanos} for a point
   */
  public record Step(TraceRecord record, long fromNanos, long toNanos) {}

  /**
   * The records of a request, if there are any.
   *
   * @param source is read twice
   */
  public static Optional<Waterfall> of(TraceSource source, long request) throws IOException {
    Outline outline = new Outline(request);
    TraceSource.Cursor first = source.open();
    first.read(outline::take);
    if (outline.count == 0) {
      return Optional.empty();
    }
    Collecting collecting = new Collecting(outline);
    TraceSource.Cursor second = source.open();
    second.read(collecting::take);
    return Optional.of(collecting.waterfall());
  }

  /** When it began and ended, and what else served it. */
  private static final class Outline {
    private final long request;
    private final Map<Long, Long> joins = new HashMap<>();
    private final Set<StateTimes.State> left = new HashSet<>();
    private long count;
    private long from;
    private long to;
    private @Nullable TraceRecord begin;
    private @Nullable TraceRecord end;

    private Outline(long request) {
      this.request = request;
    }

    private void take(TraceRecord one) {
      if (one.kind() == TraceKind.TRANSITION) {
        left.add(new StateTimes.State(one.name(), one.from()));
      }
      if (one.kind() == TraceKind.JOIN && one.number() == request) {
        joins.putIfAbsent(one.request(), one.atNanos());
      }
      if (one.request() != request) {
        return;
      }
      from = count == 0 ? one.atNanos() : Math.min(from, one.atNanos());
      to = count == 0 ? one.atNanos() : Math.max(to, one.atNanos());
      count++;
      TraceRecord whole = begin;
      if (one.kind() == TraceKind.REQUEST && whole == null) {
        begin = one;
      } else if (one.kind() == TraceKind.COMPLETION
          && (whole == null || Requests.Asked.of(whole).equals(Requests.Asked.of(one)))) {
        end = one;
      }
    }

    /** Whether a record is of the request, or of work that serves it. */
    private boolean isServed(TraceRecord one) {
      if (one.request() == request) {
        return true;
      }
      Long joined = joins.get(one.request());
      return joined != null && one.atNanos() >= joined && one.atNanos() <= to;
    }
  }

  /** Puts begins and ends together. */
  private static final class Collecting {
    private final Outline outline;
    private final List<Step> steps = new ArrayList<>();
    private final Map<MachineStates.Machine, TraceRecord> states = new HashMap<>();
    private final Map<MachineStates.Machine, TraceRecord> device = new HashMap<>();
    private final Map<Requests.Asked, TraceRecord> calls = new HashMap<>();
    private long leftOut;

    private Collecting(Outline outline) {
      this.outline = outline;
    }

    private void take(TraceRecord one) {
      boolean isServed = outline.isServed(one);
      MachineStates.Machine what = new MachineStates.Machine(one.name(), one.number());
      switch (one.kind()) {
        case TRANSITION -> {
          ended(states.remove(what), one.atNanos());
          begun(states, what, one, isServed);
        }
        case DISK_REQUEST -> begun(device, what, one, isServed);
        case DISK_COMPLETION -> ended(device.remove(what), one.atNanos());
        case STAGE, STALL -> {
          if (isServed) {
            ended(one, one.atNanos());
          }
        }
        case JOIN -> {
          // Whom the work serves besides is none of this request's business.
          if (one.number() == outline.request || one.request() == outline.request) {
            ended(one, one.atNanos());
          }
        }
        case REQUEST -> begun(calls, Requests.Asked.of(one), one, isServed && !isWhole(one));
        case COMPLETION -> ended(calls.remove(Requests.Asked.of(one)), one.atNanos());
        case TURN, INPUT, UNKNOWN -> {
          // A turn serves many, and an input takes no time.
        }
      }
    }

    /** Whether it begins the request itself, or the work that serves it. */
    private boolean isWhole(TraceRecord one) {
      return one.equals(outline.begin) || one.request() != outline.request;
    }

    private static <K> void begun(
        Map<K, TraceRecord> open, K what, TraceRecord one, boolean isServed) {
      if (isServed) {
        open.put(what, one);
      }
    }

    private void ended(@Nullable TraceRecord begun, long atNanos) {
      if (begun == null) {
        return;
      }
      if (steps.size() == MOST) {
        leftOut++;
        return;
      }
      long from = Math.clamp(begun.atNanos(), outline.from, outline.to);
      steps.add(new Step(begun, from, Math.clamp(atNanos, from, outline.to)));
    }

    private Waterfall waterfall() {
      // What nobody was ever seen to leave is an end, not a stay.
      states
          .values()
          .forEach(
              one ->
                  ended(
                      one,
                      outline.left.contains(new StateTimes.State(one.name(), one.to()))
                          ? outline.to
                          : one.atNanos()));
      device.values().forEach(one -> ended(one, outline.to));
      calls.values().forEach(one -> ended(one, outline.to));
      steps.sort(
          Comparator.comparingLong(Step::fromNanos)
              .thenComparing(Comparator.comparingLong(Step::toNanos).reversed()));
      return new Waterfall(
          Optional.ofNullable(outline.begin),
          Optional.ofNullable(outline.end),
          outline.from,
          outline.to,
          new Steps(steps, leftOut));
    }
  }
}
