package dev.upcall.httpd;

import dev.upcall.fsm.meter.DistributionSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Counts of a server since it was opened, as of one moment.
 *
 * @param counts in the order of {@link HttpCount}
 * @param responsesByClass responses, finished or begun, by the first digit of their status: from
 *     1xx to 5xx
 * @param latencies how long requests took, in the order of {@link HttpVerb}
 */
public record HttpMetrics(List<Long> counts, List<Long> responsesByClass, List<Latency> latencies) {
  /** Copies the lists. */
  public HttpMetrics {
    counts = List.copyOf(Objects.requireNonNull(counts, "counts"));
    responsesByClass = List.copyOf(Objects.requireNonNull(responsesByClass, "responsesByClass"));
    latencies = List.copyOf(Objects.requireNonNull(latencies, "latencies"));
  }

  /**
   * How long the requests of one method took.
   *
   * @param nanos from the moment a request was read until the transport had taken the last byte of
   *     its response; responses that were cut off do not count
   */
  public record Latency(HttpVerb verb, DistributionSnapshot nanos) {
    /** Checks that nothing is missing. */
    public Latency {
      Objects.requireNonNull(verb, "verb");
      Objects.requireNonNull(nanos, "nanos");
    }
  }

  /** What both have counted. */
  public HttpMetrics plus(HttpMetrics other) {
    Objects.requireNonNull(other, "other");
    return new HttpMetrics(
        sums(counts, other.counts),
        sums(responsesByClass, other.responsesByClass),
        latencies.stream()
            .map(one -> new Latency(one.verb(), one.nanos().plus(other.latency(one.verb()))))
            .toList());
  }

  private static List<Long> sums(List<Long> some, List<Long> others) {
    return IntStream.range(0, some.size()).mapToObj(i -> some.get(i) + others.get(i)).toList();
  }

  /** The same but for one count. */
  public HttpMetrics with(HttpCount count, long now) {
    List<Long> changed = new ArrayList<>(counts);
    changed.set(Objects.requireNonNull(count, "count").index(), now);
    return new HttpMetrics(changed, responsesByClass, latencies);
  }

  /** One of the counts. */
  public long of(HttpCount count) {
    return counts.get(Objects.requireNonNull(count, "count").index());
  }

  /** How long the requests of one method took. */
  public DistributionSnapshot latency(HttpVerb verb) {
    Objects.requireNonNull(verb, "verb");
    return latencies.get(verb.index()).nanos();
  }

  /** Responses with a status from {@code hundreds * 100} to {@code hundreds * 100 + 99}. */
  public long responses(int hundreds) {
    return responsesByClass.get(Objects.checkIndex(hundreds - 1, responsesByClass.size()));
  }
}
