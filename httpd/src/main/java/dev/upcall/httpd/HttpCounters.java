package dev.upcall.httpd;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The running counts behind {@link HttpMetrics}; dispatcher's thread only. */
final class HttpCounters {
  long requests;
  long bytesSent;
  long filesOpened;
  long filesClosed;
  int openConnections;
  long acceptedConnections;
  long refusedConnections;
  long brokenResponses;
  long timeouts;
  long requestTimeouts;
  long refusedHeads;
  long refusedBodies;
  long uploadsBegun;
  long uploadsCommitted;
  long uploadsEnded;
  long bytesReceived;
  private final long[] responses = new long[5];

  /** Counts a request by what its head was refused for, if it was. */
  void head(@Nullable Status refusal) {
    requests++;
    if (refusal == Status.URI_TOO_LONG || refusal == Status.HEADER_FIELDS_TOO_LARGE) {
      refusedHeads++;
    }
  }

  void response(Status status) {
    responses[status.code() / 100 - 1]++;
  }

  HttpMetrics snapshot() {
    return new HttpMetrics(
        requests,
        Arrays.stream(responses).boxed().toList(),
        bytesSent,
        filesOpened,
        filesClosed,
        openConnections,
        acceptedConnections,
        refusedConnections,
        brokenResponses,
        timeouts,
        requestTimeouts,
        refusedHeads,
        refusedBodies,
        uploadsBegun,
        uploadsCommitted,
        uploadsEnded,
        bytesReceived);
  }
}
