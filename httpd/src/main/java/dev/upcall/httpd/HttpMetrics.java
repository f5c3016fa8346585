package dev.upcall.httpd;

import dev.upcall.fsm.DistributionSnapshot;
import java.util.List;

/**
 * Counts of a server since it was opened, as of one moment.
 *
 * @param requests requests whose head was read
 * @param responsesByClass responses, finished or begun, by the first digit of their status: from
 *     1xx to 5xx
 * @param bytesSent bytes of finished writes
 * @param filesOpened versions of files that were opened
 * @param filesClosed and given back
 * @param openConnections sessions now
 * @param acceptedConnections connections ever accepted
 * @param refusedConnections those of them that were over the limit
 * @param brokenResponses responses that were cut off by a failure of the store or of the connection
 * @param timeouts sessions that ended because a time was over: idle, too slow with a request, or
 *     with taking what was sent
 * @param requestTimeouts those of them that were answered 408
 * @param refusedHeads requests whose line or header section was too large: 414 and 431
 * @param refusedBodies requests whose body was too large: 413
 * @param uploadsBegun files that the store was asked to take
 * @param uploadsCommitted those of them that became visible and durable
 * @param uploadsEnded those of them of which the server holds nothing any more
 * @param bytesReceived bytes of the files that were committed
 * @param latencies how long requests took, in the order of {@link HttpVerb}
 */
public record HttpMetrics(
    long requests,
    List<Long> responsesByClass,
    long bytesSent,
    long filesOpened,
    long filesClosed,
    int openConnections,
    long acceptedConnections,
    long refusedConnections,
    long brokenResponses,
    long timeouts,
    long requestTimeouts,
    long refusedHeads,
    long refusedBodies,
    long uploadsBegun,
    long uploadsCommitted,
    long uploadsEnded,
    long bytesReceived,
    List<Latency> latencies) {
  /** Copies the lists. */
  public HttpMetrics {
    responsesByClass = List.copyOf(responsesByClass);
    latencies = List.copyOf(latencies);
  }

  /**
   * How long the requests of one method took.
   *
   * @param nanos from the moment a request was read until the transport had taken the last byte of
   *     its response; responses that were cut off do not count
   */
  public record Latency(HttpVerb verb, DistributionSnapshot nanos) {}

  /** How long the requests of one method took. */
  public DistributionSnapshot latency(HttpVerb verb) {
    return latencies.get(verb.index()).nanos();
  }

  /** Responses with a status from {@code hundreds * 100} to {@code hundreds * 100 + 99}. */
  public long responses(int hundreds) {
    return responsesByClass.get(hundreds - 1);
  }
}
