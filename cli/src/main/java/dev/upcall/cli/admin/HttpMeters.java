package dev.upcall.cli.admin;

import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.metrics.MeterReading;
import dev.upcall.metrics.MeterSection;

/** Names, units and meanings of the meters of an HTTP server. */
record HttpMeters(HttpMetrics http) implements MeterSection {
  @Override
  public void addTo(MeterReading to) {
    String p = "upcall.http.";
    for (HttpCount count : HttpCount.values()) {
      if (count.isLevel()) {
        to.level(p + count.meter(), count.unit(), count.meaning(), http.of(count));
      } else if (!count.meter().isEmpty()) {
        to.count(p + count.meter(), count.unit(), count.meaning(), http.of(count));
      }
    }
    for (int hundreds = 1; hundreds <= http.responsesByClass().size(); hundreds++) {
      to.count(
          p + "responses",
          "responses",
          "responses, finished or begun, by their status",
          http.responses(hundreds),
          "status",
          hundreds + "xx");
    }
    to.level(
        p + "uploading",
        "files",
        "files that PUTs are bringing",
        http.of(HttpCount.UPLOADS_BEGUN) - http.of(HttpCount.UPLOADS_ENDED));
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
        http.of(HttpCount.FILES_OPENED) - http.of(HttpCount.FILES_CLOSED));
  }
}
