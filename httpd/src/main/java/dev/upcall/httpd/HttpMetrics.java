package dev.upcall.httpd;

import dev.upcall.fsm.meter.DistributionSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
 * @param threads threads that serve connections and nothing else; 0 where sessions are machines
 * @param acceptedConnections connections ever accepted
 * @param refusedConnections those of them that were over the limit
 * @param refusedOfAddress those of them that were over the limit of their address
 * @param refusedRequests requests that were not let into the store: too many waited, or for too
 *     long
 * @param waitingRequests requests that wait to be let in now
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
 * @param cutDownloads responses to GET and HEAD that were cut off when the server closed
 * @param cutUploads changes whose clients heard no answer for the same reason
 * @param refusedLogins requests with credentials that nobody has
 * @param droppedLogLines lines of the access log for which there was no room
 * @param latencies how long requests took, in the order of {@link HttpVerb}
 */
public record HttpMetrics(
    long requests,
    List<Long> responsesByClass,
    long bytesSent,
    long filesOpened,
    long filesClosed,
    int openConnections,
    int threads,
    long acceptedConnections,
    long refusedConnections,
    long refusedOfAddress,
    long refusedRequests,
    int waitingRequests,
    long brokenResponses,
    long timeouts,
    long requestTimeouts,
    long refusedHeads,
    long refusedBodies,
    long uploadsBegun,
    long uploadsCommitted,
    long uploadsEnded,
    long bytesReceived,
    long cutDownloads,
    long cutUploads,
    long refusedLogins,
    long droppedLogLines,
    List<Latency> latencies) {
  /** Copies the lists. */
  public HttpMetrics {
    Objects.requireNonNull(responsesByClass, "responsesByClass");
    Objects.requireNonNull(latencies, "latencies");
    responsesByClass = List.copyOf(responsesByClass);
    latencies = List.copyOf(latencies);
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
    List<Long> responses = new ArrayList<>();
    for (int i = 0; i < responsesByClass.size(); i++) {
      responses.add(responsesByClass.get(i) + other.responsesByClass.get(i));
    }
    List<Latency> both = new ArrayList<>();
    for (Latency one : latencies) {
      both.add(new Latency(one.verb(), one.nanos().plus(other.latency(one.verb()))));
    }
    return new HttpMetrics(
        requests + other.requests,
        responses,
        bytesSent + other.bytesSent,
        filesOpened + other.filesOpened,
        filesClosed + other.filesClosed,
        openConnections + other.openConnections,
        threads + other.threads,
        acceptedConnections + other.acceptedConnections,
        refusedConnections + other.refusedConnections,
        refusedOfAddress + other.refusedOfAddress,
        refusedRequests + other.refusedRequests,
        waitingRequests + other.waitingRequests,
        brokenResponses + other.brokenResponses,
        timeouts + other.timeouts,
        requestTimeouts + other.requestTimeouts,
        refusedHeads + other.refusedHeads,
        refusedBodies + other.refusedBodies,
        uploadsBegun + other.uploadsBegun,
        uploadsCommitted + other.uploadsCommitted,
        uploadsEnded + other.uploadsEnded,
        bytesReceived + other.bytesReceived,
        cutDownloads + other.cutDownloads,
        cutUploads + other.cutUploads,
        refusedLogins + other.refusedLogins,
        droppedLogLines + other.droppedLogLines,
        both);
  }

  /** The same counts of a server with threads. */
  public HttpMetrics withConnections(int connections, int serving) {
    return new HttpMetrics(
        requests,
        responsesByClass,
        bytesSent,
        filesOpened,
        filesClosed,
        connections,
        serving,
        acceptedConnections,
        refusedConnections,
        refusedOfAddress,
        refusedRequests,
        waitingRequests,
        brokenResponses,
        timeouts,
        requestTimeouts,
        refusedHeads,
        refusedBodies,
        uploadsBegun,
        uploadsCommitted,
        uploadsEnded,
        bytesReceived,
        cutDownloads,
        cutUploads,
        refusedLogins,
        droppedLogLines,
        latencies);
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
