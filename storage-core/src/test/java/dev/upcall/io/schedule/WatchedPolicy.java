package dev.upcall.io.schedule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A policy that is looked at while a scheduler uses it: what it names is what it was given, once
 * each; no more is in flight than it states; nobody is overtaken more often than is stated, where
 * askers have the device by time for longer than that, or waits for longer at a device that has
 * nothing to do; and of two that touch the same blocks, of which one changes something, the earlier
 * goes first.
 */
public final class WatchedPolicy implements SchedulingPolicy {
  private final SchedulingPolicy policy;
  private final Bounds bounds;

  /** What waits, in the order of arrival, and how many that came later went before it. */
  private final Map<Dispatch, Waiting> waiting = new LinkedHashMap<>();

  private final LongSupplier nanos;
  private int inFlight;

  /** One that waits, and how many that came later went before it. */
  private static final class Waiting {
    private final long sinceNanos;
    private int overtaken;

    Waiting(long sinceNanos) {
      this.sinceNanos = sinceNanos;
    }
  }

  /**
   * What a policy states.
   *
   * @param depth requests in flight
   * @param allowed in which order they may go
   * @param pauseNanos so long it leaves the device idle although something waits
   * @param turnsNanos so long others have their turns by time, in which a fast device serves
   *     hundreds; 0 where nobody has
   */
  public record Bounds(
      int depth, DrawnScheduler.Allowed allowed, long pauseNanos, long turnsNanos) {}

  /** Looks at a policy that nobody else uses. */
  public WatchedPolicy(SchedulingPolicy policy, LongSupplier nanos, Bounds bounds) {
    this.policy = policy;
    this.nanos = nanos;
    this.bounds = bounds;
  }

  @Override
  public void add(Dispatch dispatch) {
    waiting.put(dispatch, new Waiting(nanos.getAsLong()));
    policy.add(dispatch);
  }

  @Override
  public @Nullable Dispatch next() {
    Dispatch next = policy.next();
    if (next != null) {
      inFlight++;
      check(inFlight <= bounds.depth, "more in flight than " + bounds.depth);
      check(waiting.containsKey(next), "what does not wait is sent");
      for (Map.Entry<Dispatch, Waiting> earlier : earlierThan(next)) {
        if (isBound(earlier.getKey(), next)) {
          throw new AssertionError(
              "the scheduler: what overlaps is sent in another order: %s before %s"
                  .formatted(text(next), text(earlier.getKey())));
        }
        Waiting waits = earlier.getValue();
        waits.overtaken++;
        long waitedNanos = nanos.getAsLong() - waits.sinceNanos;
        check(
            waits.overtaken <= bounds.allowed.overtaken() || waitedNanos < bounds.turnsNanos,
            "one was overtaken %d times in %d ns".formatted(waits.overtaken, waitedNanos));
      }
      waiting.remove(next);
    } else if (inFlight == 0 && !waiting.isEmpty()) {
      long pauseNanos = policy.pauseNanos();
      check(
          pauseNanos <= bounds.pauseNanos,
          "all wait for " + pauseNanos + " ns and the device has nothing to do");
    }
    check(policy.waiting() == waiting.size(), "one is forgotten");
    return next;
  }

  private List<Map.Entry<Dispatch, Waiting>> earlierThan(Dispatch next) {
    List<Map.Entry<Dispatch, Waiting>> earlier = new ArrayList<>();
    for (Map.Entry<Dispatch, Waiting> each : waiting.entrySet()) {
      if (each.getKey() == next) {
        return earlier;
      }
      earlier.add(each);
    }
    return earlier;
  }

  /** Whether two may not change places. */
  private boolean isBound(Dispatch one, Dispatch other) {
    boolean changes = one.movesData() && other.movesData() && !(one.reads() && other.reads());
    long from = Math.max(one.block(), other.block());
    long to = Math.min(one.end(), other.end());
    boolean isAllowed = from >= bounds.allowed.from() && to <= bounds.allowed.to();
    return changes && from < to && !isAllowed;
  }

  private static String text(Dispatch one) {
    return "the %s of [%d, %d) as %s"
        .formatted(one.reads() ? "read" : "write", one.block(), one.end(), one.ioClass());
  }

  private static void check(boolean fact, String otherwise) {
    if (!fact) {
      throw new AssertionError("the scheduler: " + otherwise);
    }
  }

  @Override
  public void completed(Dispatch dispatch) {
    inFlight--;
    policy.completed(dispatch);
  }

  @Override
  public void lift() {
    policy.lift();
  }

  @Override
  public int waiting() {
    return policy.waiting();
  }

  @Override
  public long pauseNanos() {
    return policy.pauseNanos();
  }

  @Override
  public boolean mergesWithLastOnly() {
    return policy.mergesWithLastOnly();
  }

  @Override
  public void beginsEarlier(Dispatch dispatch, long formerBlock) {
    policy.beginsEarlier(dispatch, formerBlock);
  }
}
