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

  /** See {@link HttpMetrics#requests}. */
  public long requests;

  /** See {@link HttpMetrics#bytesSent}. */
  public long bytesSent;

  /** See {@link HttpMetrics#filesOpened}. */
  public long filesOpened;

  /** See {@link HttpMetrics#filesClosed}. */
  public long filesClosed;

  /** See {@link HttpMetrics#openConnections}. */
  public int openConnections;

  /** See {@link HttpMetrics#acceptedConnections}. */
  public long acceptedConnections;

  /** See {@link HttpMetrics#refusedConnections}. */
  public long refusedConnections;

  /** See {@link HttpMetrics#refusedOfAddress}. */
  public long refusedOfAddress;

  /** See {@link HttpMetrics#refusedRequests}. */
  public long refusedRequests;

  /** See {@link HttpMetrics#waitingRequests}. */
  public int waitingRequests;

  /** See {@link HttpMetrics#brokenResponses}. */
  public long brokenResponses;

  /** See {@link HttpMetrics#timeouts}. */
  public long timeouts;

  /** See {@link HttpMetrics#requestTimeouts}. */
  public long requestTimeouts;

  /** See {@link HttpMetrics#refusedHeads}. */
  public long refusedHeads;

  /** See {@link HttpMetrics#refusedBodies}. */
  public long refusedBodies;

  /** See {@link HttpMetrics#uploadsBegun}. */
  public long uploadsBegun;

  /** See {@link HttpMetrics#uploadsCommitted}. */
  public long uploadsCommitted;

  /** See {@link HttpMetrics#uploadsEnded}. */
  public long uploadsEnded;

  /** See {@link HttpMetrics#bytesReceived}. */
  public long bytesReceived;

  /** See {@link HttpMetrics#cutDownloads}. */
  public long cutDownloads;

  /** See {@link HttpMetrics#cutUploads}. */
  public long cutUploads;

  /** See {@link HttpMetrics#refusedLogins}. */
  public long refusedLogins;

  /** See {@link HttpMetrics#droppedLogLines}. */
  public long droppedLogLines;

  private final long[] responses = new long[5];
  private final Distribution[] requestNanos = new Distribution[VERBS.length];

  /** Nothing was counted. */
  public HttpCounters() {
    for (int i = 0; i < requestNanos.length; i++) {
      requestNanos[i] = new Distribution();
    }
  }

  /** Counts a request. */
  public void head() {
    requests++;
  }

  /** Counts what the head of a request was refused for. */
  public void refusedHead(Refusal refusal) {
    Objects.requireNonNull(refusal, "refusal");
    Status status = refusal.status();
    if (status == Status.URI_TOO_LONG || status == Status.HEADER_FIELDS_TOO_LARGE) {
      refusedHeads++;
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
      refusedBodies++;
    } else if (refusal.status() == Status.REQUEST_TIMEOUT) {
      timeouts++;
      requestTimeouts++;
    }
  }

  /** Counts what was cut off when the server closed: a change, or a look. */
  public void cutOff(boolean change) {
    if (change) {
      cutUploads++;
    } else {
      cutDownloads++;
    }
  }

  /** Copies all counts. */
  public HttpMetrics snapshot() {
    return new HttpMetrics(
        requests,
        Arrays.stream(responses).boxed().toList(),
        bytesSent,
        filesOpened,
        filesClosed,
        openConnections,
        0,
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
