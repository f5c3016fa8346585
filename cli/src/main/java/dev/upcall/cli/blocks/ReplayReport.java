package dev.upcall.cli.blocks;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.cli.option.TextTable;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.replay.ReplayCounts;
import dev.upcall.io.trace.BlockProfile;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/**
 * What has come of a replay.
 *
 * @param counts what was played
 * @param profile what went to the target, behind the scheduler
 * @param disk what the target did
 * @param stopped whether it was ended before the end of the trace
 */
record ReplayReport(ReplayCounts counts, BlockProfile profile, DiskCounters disk, boolean stopped) {
  private static final double HALF = 0.5;
  private static final double NEARLY_ALL = 0.99;

  /** Whether all was played, and nothing failed. */
  boolean isWhole() {
    return !stopped && counts.failed() == 0;
  }

  /** How long the target had reads and writes, all together. */
  private long deviceNanos() {
    return disk.of(DiskOperation.READ).nanos().sum()
        + disk.of(DiskOperation.WRITE).nanos().sum()
        + disk.of(DiskOperation.DURABLE_WRITE).nanos().sum();
  }

  void print(PrintStream out) {
    TextTable head = new TextTable(1, "", "");
    head.row("played", counts.played());
    head.row("left out", counts.skipped());
    head.row("failed", counts.failed());
    head.row("seconds", seconds(counts.tookNanos()));
    head.row("device seconds, reads and writes", seconds(deviceNanos()));
    head.row("sent late by, p99, ms", millis((double) counts.lateNanos().quantile(NEARLY_ALL)));
    head.print(out);
    if (!counts.failure().isEmpty()) {
      out.println("first failure: " + counts.failure());
    }
    if (stopped) {
      out.println("stopped before the end of the trace");
    }
    out.println();
    TextTable latencies = new TextTable(1, "", "requests", "mean, ms", "p50", "p99", "max");
    latency(latencies, "reads", counts.reads());
    latency(latencies, "writes", counts.writes());
    latency(latencies, "syncs and others", counts.others());
    latencies.print(out);
    out.println();
    new ProfileReport(profile).print(out);
  }

  private static void latency(TextTable table, String name, DistributionSnapshot nanos) {
    table.row(
        name,
        nanos.count(),
        millis(nanos.mean()),
        millis((double) nanos.quantile(HALF)),
        millis((double) nanos.quantile(NEARLY_ALL)),
        millis((double) nanos.max()));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e9);
  }

  private static String millis(double nanos) {
    return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
  }

  void write(JsonGenerator json) throws IOException {
    json.writeNumberField("played", counts.played());
    json.writeNumberField("leftOut", counts.skipped());
    json.writeNumberField("done", counts.done());
    json.writeNumberField("failed", counts.failed());
    json.writeStringField("failure", counts.failure());
    json.writeBooleanField("stopped", stopped);
    json.writeNumberField("tookNanos", counts.tookNanos());
    json.writeNumberField("deviceNanos", deviceNanos());
    ProfileReport.spread(json, "lateNanos", counts.lateNanos());
    ProfileReport.spread(json, "readNanos", counts.reads());
    ProfileReport.spread(json, "writeNanos", counts.writes());
    ProfileReport.spread(json, "otherNanos", counts.others());
    json.writeObjectFieldStart("issued");
    new ProfileReport(profile).write(json);
    json.writeEndObject();
  }
}
