package dev.upcall.journal.trace;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Puts the begin and the end of requests together. */
public final class Requests implements Consumer<TraceRecord> {
  /** Requests whose end is waited for; of more the oldest are forgotten, whose end was lost. */
  private static final int MAX_OPEN = 1 << 20;

  private final Consumer<Finished> to;
  private final Map<Long, TraceRecord> open =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, TraceRecord> eldest) {
          return size() > MAX_OPEN;
        }
      };

  /**
   * A request that has ended.
   *
   * @param request its id
   * @param verb the number of its name
   * @param origin the number of the name of where it came in
   * @param outcome the number of its name
   * @param beginNanos when it began to wait
   * @param endNanos when it was answered
   */
  public record Finished(
      long request, int verb, int origin, int outcome, long beginNanos, long endNanos) {
    /** From its begin to its end. */
    public long tookNanos() {
      return endNanos - beginNanos;
    }
  }

  /** Tells of those that end, if their begin was seen. */
  public Requests(Consumer<Finished> to) {
    this.to = to;
  }

  @Override
  public void accept(TraceRecord one) {
    if (one.kind() == TraceKind.REQUEST) {
      open.put(one.request(), one);
    } else if (one.kind() == TraceKind.COMPLETION) {
      TraceRecord begin = open.remove(one.request());
      if (begin != null) {
        to.accept(
            new Finished(
                one.request(),
                begin.name(),
                begin.from(),
                one.to(),
                begin.atNanos() - begin.extra(),
                one.atNanos()));
      }
    }
  }

  /** Those that have begun and not ended, by their ids, oldest first. */
  public Map<Long, TraceRecord> open() {
    return open;
  }
}
