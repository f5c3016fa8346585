package dev.upcall.journal.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts the begin and the end of requests together. A call of the API that a request makes has the
 * request's id, and a begin and an end of its own.
 */
public final class Requests implements Consumer<TraceRecord> {
  /** Requests whose end is waited for; of more the oldest are forgotten, whose end was lost. */
  private static final int MAX_OPEN = 1 << 20;

  private final Consumer<Finished> to;
  private final Map<Asked, Begun> open =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, Begun> eldest) {
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
   * @param beginNanos when it began
   * @param endNanos when it was answered
   */
  public record Finished(
      long request, int verb, int origin, int outcome, long beginNanos, long endNanos) {
    /** From its begin to its end. */
    public long tookNanos() {
      return endNanos - beginNanos;
    }
  }

  /** What tells a request from the calls that it makes. */
  record Asked(long request, int verb, int origin) {
    static Asked of(TraceRecord one) {
      return new Asked(one.request(), one.name(), one.from());
    }
  }

  /** A begin, and those of the same that have not ended either. */
  private record Begun(TraceRecord record, @Nullable Begun before) {}

  /** Tells of those that end, if their begin was seen. */
  public Requests(Consumer<Finished> to) {
    this.to = to;
  }

  @Override
  public void accept(TraceRecord one) {
    if (one.kind() == TraceKind.REQUEST) {
      open.compute(Asked.of(one), (_, before) -> new Begun(one, before));
    } else if (one.kind() == TraceKind.COMPLETION) {
      ended(one);
    }
  }

  private void ended(TraceRecord one) {
    Asked asked = Asked.of(one);
    Begun begun = open.remove(asked);
    if (begun == null) {
      return;
    }
    if (begun.before() != null) {
      open.put(asked, begun.before());
    }
    to.accept(
        new Finished(
            one.request(),
            one.name(),
            one.from(),
            one.to(),
            begun.record().atNanos(),
            one.atNanos()));
  }

  /** The begins of those that have not ended. */
  public List<TraceRecord> open() {
    List<TraceRecord> begins = new ArrayList<>();
    for (Begun one : open.values()) {
      for (Begun begun = one; begun != null; begun = begun.before()) {
        begins.add(begun.record());
      }
    }
    return begins;
  }
}
