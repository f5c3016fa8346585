package dev.upcall.io;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** First come, first served, with a bound on what is in flight: the baseline for comparisons. */
final class NoopPolicy implements SchedulingPolicy {
  private final int depth;
  private final ArrayDeque<DiskRequest> queue = new ArrayDeque<>();
  private int inFlight;

  /** At most {@code depth} requests in flight. */
  NoopPolicy(int depth) {
    this.depth = depth;
  }

  @Override
  public void add(DiskRequest request) {
    queue.addLast(request);
  }

  @Override
  public @Nullable DiskRequest next() {
    DiskRequest first = inFlight < depth ? queue.pollFirst() : null;
    if (first != null) {
      inFlight++;
    }
    return first;
  }

  @Override
  public void completed(DiskRequest request) {
    inFlight--;
  }

  @Override
  public int waiting() {
    return queue.size();
  }
}
