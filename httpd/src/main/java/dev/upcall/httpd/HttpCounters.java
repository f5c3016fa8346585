package dev.upcall.httpd;

import dev.upcall.fsm.Distribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The running counts behind {@link HttpMetrics}; dispatcher's thread only. */
final class HttpCounters {
  private static final HttpVerb[] VERBS = HttpVerb.values();

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
  private final Distribution[] requestNanos = new Distribution[VERBS.length];

  HttpCounters() {
    for (int i = 0; i < requestNanos.length; i++) {
      requestNanos[i] = new Distribution();
    }
  }

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

  /** The client has taken the whole response to a request. */
  void took(HttpVerb verb, long nanos) {
    requestNanos[verb.index()].record(nanos);
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
        bytesReceived,
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
