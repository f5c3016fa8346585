package dev.upcall.httpd;

import dev.upcall.fsm.meter.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The running counts behind {@link HttpMetrics}. One thread at a time: the dispatcher's, or who has
 * the lock in front of them.
 */
public final class HttpCounters {
  private static final HttpVerb[] VERBS = HttpVerb.values();

  private final long[] counts = new long[HttpCount.values().length];
  private final long[] responses = new long[5];
  private final Distribution[] requestNanos = new Distribution[VERBS.length];

  /** Nothing was counted. */
  public HttpCounters() {
    for (int i = 0; i < requestNanos.length; i++) {
      requestNanos[i] = new Distribution();
    }
  }

  /** Counts one more. */
  public void add(HttpCount count) {
    add(count, 1);
  }

  /** Counts so many more; of a level also fewer. */
  public void add(HttpCount count, long more) {
    counts[Objects.requireNonNull(count, "count").index()] += more;
  }

  /** The count so far, or the level now. */
  public long get(HttpCount count) {
    return counts[Objects.requireNonNull(count, "count").index()];
  }

  /** Counts what the head of a request was refused for. */
  public void refusedHead(Refusal refusal) {
    Objects.requireNonNull(refusal, "refusal");
    Status status = refusal.status();
    if (status == Status.URI_TOO_LONG || status == Status.HEADER_FIELDS_TOO_LARGE) {
      add(HttpCount.REFUSED_HEADS);
    }
  }

  /** Counts a response, finished or begun. */
  public void response(Status status) {
    Objects.requireNonNull(status, "status");
    responses[status.code() / 100 - 1]++;
  }

  /** The client has taken the whole response to a request. */
  public void took(HttpVerb verb, long nanos) {
    Objects.requireNonNull(verb, "verb");
    requestNanos[verb.index()].record(nanos);
  }

  /** Counts a body that was refused for its size, or because it did not come in time. */
  public void body(Refusal refusal) {
    Objects.requireNonNull(refusal, "refusal");
    if (refusal.status() == Status.CONTENT_TOO_LARGE) {
      add(HttpCount.REFUSED_BODIES);
    } else if (refusal.status() == Status.REQUEST_TIMEOUT) {
      add(HttpCount.TIMEOUTS);
      add(HttpCount.REQUEST_TIMEOUTS);
    }
  }

  /** Counts what was cut off when the server closed: a change, or a look. */
  public void cutOff(boolean change) {
    add(change ? HttpCount.CUT_UPLOADS : HttpCount.CUT_DOWNLOADS);
  }

  /** Copies all counts. */
  public HttpMetrics snapshot() {
    return new HttpMetrics(
        Arrays.stream(counts).boxed().toList(),
        Arrays.stream(responses).boxed().toList(),
        latencies());
  }

  private List<HttpMetrics.Latency> latencies() {
    List<HttpMetrics.Latency> latencies = new ArrayList<>(VERBS.length);
    for (HttpVerb verb : VERBS) {
      latencies.add(new HttpMetrics.Latency(verb, requestNanos[verb.index()].snapshot()));
    }
    return latencies;
  }
}
