package dev.upcall.cli.admin;

import dev.upcall.httpd.HttpMetrics;
import dev.upcall.metrics.MeterReading;
import dev.upcall.metrics.MeterSection;

/** Names, units and meanings of the meters of an HTTP server. */
record HttpMeters(HttpMetrics http) implements MeterSection {
  private static final String REQUESTS = "requests";
  private static final String BYTES = MeterReading.BYTES;

  @Override
  public void addTo(MeterReading to) {
    String p = "upcall.http.";
    to.count(p + "requests", REQUESTS, "requests whose head was read", http.requests());
    for (int hundreds = 1; hundreds <= http.responsesByClass().size(); hundreds++) {
      to.count(
          p + "responses",
          "responses",
          "responses, finished or begun, by their status",
          http.responses(hundreds),
          "status",
          hundreds + "xx");
    }
    to.count(p + "sent", BYTES, "bytes of finished writes", http.bytesSent());
    to.level(p + "connections", "connections", "connections now", http.openConnections());
    to.level(
        p + "threads",
        "threads",
        "threads that serve connections and nothing else",
        http.threads());
    to.count(
        p + "accepted", "connections", "connections ever accepted", http.acceptedConnections());
    to.count(p + "turned.away", "connections", "those over a limit", http.refusedConnections());
    to.count(
        p + "turned.away.address",
        "connections",
        "those of them over the limit of their address",
        http.refusedOfAddress());
    to.count(
        p + "turned.away.requests",
        REQUESTS,
        "those not let into the store, answered 503",
        http.refusedRequests());
    to.level(p + "waiting", REQUESTS, "requests that wait to be let in", http.waitingRequests());
    to.count(p + "broken", "responses", "responses cut off by a failure", http.brokenResponses());
    to.count(p + "timeouts", "connections", "connections ended by a timeout", http.timeouts());
    to.count(
        p + "timeouts.answered",
        REQUESTS,
        "those answered 408: too slow with a request",
        http.requestTimeouts());
    to.count(p + "refused.heads", REQUESTS, "too large a head: 414, 431", http.refusedHeads());
    to.count(p + "refused.bodies", REQUESTS, "too large a body: 413", http.refusedBodies());
    to.count(p + "uploads", "files", "files that PUTs made durable", http.uploadsCommitted());
    to.level(
        p + "uploading",
        "files",
        "files that PUTs are bringing",
        http.uploadsBegun() - http.uploadsEnded());
    to.count(p + "received", BYTES, "bytes of the files made durable", http.bytesReceived());
    to.count(
        p + "cut.downloads",
        "responses",
        "responses cut off when the server closed",
        http.cutDownloads());
    to.count(
        p + "cut.uploads",
        REQUESTS,
        "changes without an answer for the same reason",
        http.cutUploads());
    to.count(p + "refused.logins", REQUESTS, "credentials that nobody has", http.refusedLogins());
    to.count(
        p + "log.dropped",
        "lines",
        "lines of the access log for which there was no room",
        http.droppedLogLines());
    for (HttpMetrics.Latency latency : http.latencies()) {
      to.latency(
          p + "request",
          "from reading a request until the last byte of its response was taken",
          latency.nanos(),
          "method",
          latency.verb().name());
    }
    to.level(
        p + "files",
        "files",
        "versions of files that responses hold",
        http.filesOpened() - http.filesClosed());
  }
}
