package dev.upcall.httpd;

import java.util.Arrays;

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
  private final long[] responses = new long[5];

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
        timeouts);
  }
}
