package dev.upcall.io.schedule;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A policy in front of which some requests meet with an accident. */
public final class BrokenPolicy implements SchedulingPolicy {
  private static final int SOME = 50;
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SchedulingPolicy policy;
  private final Way way;

  /** What the policy behind does not know. */
  private final ArrayDeque<Dispatch> kept = new ArrayDeque<>();

  private final LongSupplier nanos;
  private long askedNanos;
  private int added;
  private int inFlight;

  /** How it is broken. */
  public enum Way {
    /** Every fiftieth request waits for ever. */
    FORGETS,
    /** Last come, first served. */
    REORDERS,
    /** Every fiftieth waits until nobody has asked for anything else for a second. */
    STARVES
  }

  /** Breaks a policy that nobody else uses. */
  BrokenPolicy(SchedulingPolicy policy, Way way, LongSupplier nanos) {
    this.policy = policy;
    this.way = way;
    this.nanos = nanos;
  }

  @Override
  public void add(Dispatch dispatch) {
    added++;
    askedNanos = nanos.getAsLong();
    boolean keeps =
        switch (way) {
          case FORGETS, STARVES -> added % SOME == 0;
          case REORDERS -> true;
        };
    if (keeps) {
      kept.addLast(dispatch);
    } else {
      policy.add(dispatch);
    }
  }

  @Override
  public @Nullable Dispatch next() {
    Dispatch next =
        switch (way) {
          case FORGETS -> policy.next();
          case REORDERS -> inFlight == 0 ? kept.pollLast() : null;
          case STARVES -> starving();
        };
    inFlight += next == null ? 0 : 1;
    return next;
  }

  private @Nullable Dispatch starving() {
    Dispatch next = policy.next();
    if (next == null && !kept.isEmpty() && quietInNanos() <= 0) {
      policy.add(kept.removeFirst());
      next = policy.next();
    }
    return next;
  }

  private long quietInNanos() {
    return askedNanos + QUIET_NANOS - nanos.getAsLong();
  }

  @Override
  public void completed(Dispatch dispatch) {
    inFlight--;
    if (way != Way.REORDERS) {
      policy.completed(dispatch);
    }
  }

  @Override
  public void lift() {
    policy.lift();
  }

  @Override
  public int waiting() {
    return policy.waiting() + kept.size();
  }

  @Override
  public long pauseNanos() {
    boolean isStarving = way == Way.STARVES && !kept.isEmpty();
    return isStarving
        ? Math.min(policy.pauseNanos(), Math.max(1, quietInNanos()))
        : policy.pauseNanos();
  }

  @Override
  public boolean mergesWithLastOnly() {
    return policy.mergesWithLastOnly();
  }

  @Override
  public void beginsEarlier(Dispatch dispatch, long formerBlock) {
    if (!kept.contains(dispatch)) {
      policy.beginsEarlier(dispatch, formerBlock);
    }
  }
}
