package dev.upcall.io.elevator;

import dev.upcall.config.Limits;
import dev.upcall.io.schedule.Dispatch;
import dev.upcall.io.schedule.SchedulingPolicy;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * First come, first served, with a bound on what is in flight; merges with the last one only.
 *
 * <p>Longest wait: that of all who came before.
 */
public final class NoopPolicy implements SchedulingPolicy {
  private final int depth;
  private final ArrayDeque<Dispatch> queue = new ArrayDeque<>();
  private int inFlight;

  /** At most {@code depth} requests in flight. */
  public NoopPolicy(int depth) {
    Limits.atLeast("depth", depth, 1);
    this.depth = depth;
  }

  @Override
  public void add(Dispatch dispatch) {
    queue.addLast(dispatch);
  }

  @Override
  public @Nullable Dispatch next() {
    Dispatch first = inFlight < depth ? queue.pollFirst() : null;
    if (first != null) {
      inFlight++;
    }
    return first;
  }

  @Override
  public void completed(Dispatch dispatch) {
    inFlight--;
  }

  @Override
  public int waiting() {
    return queue.size();
  }

  @Override
  public boolean mergesWithLastOnly() {
    return true;
  }
}
