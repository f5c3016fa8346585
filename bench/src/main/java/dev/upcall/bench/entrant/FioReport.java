package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Latencies;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Timeline;
import dev.upcall.specweb.document.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads what fio prints with {@code --output-format=json}. */
final class FioReport {
  private FioReport() {}

  /**
   * The sample of the first job (or group) of a report: reads and writes together, latencies of
   * whichever there were, processor time of the job's threads.
   */
  static Sample parse(String text) throws IOException {
    // Warnings may stand around the report.
    int begin = text.indexOf('{');
    int end = text.lastIndexOf('}') + 1;
    JsonTree report =
        begin < 0 || end <= begin ? new JsonTree(null) : JsonTree.parse(text.substring(begin, end));
    if (report.get("jobs").elements().isEmpty()) {
      throw new IOException("no report of fio: " + text.lines().findFirst().orElse("nothing"));
    }
    JsonTree job = report.get("jobs").elements().getFirst();
    if (job.get("error").number() != 0) {
      throw new IOException("fio failed with error " + job.get("error").text());
    }
    JsonTree side = job.get(job.get("read").get("total_ios").number() > 0 ? "read" : "write");
    double percent = job.get("usr_cpu").number() + job.get("sys_cpu").number();
    return new Sample(
        side.get("total_ios").number(),
        side.get("runtime").number() / 1e3,
        percent / 100 * job.get("job_runtime").number() / 1e3,
        new Latencies(
            micros(side, "50.000000"),
            micros(side, "99.000000"),
            micros(side, "99.900000"),
            side.get("clat_ns").get("max").number() / 1e3));
  }

  /**
   * The longest of each step in what fio logs with {@code --log_max_value} and {@code
   * --log_avg_msec}: a line for each step and job, with its milliseconds and its nanoseconds.
   */
  static Timeline peaks(String log, int stepMillis) {
    List<Long> micros = new ArrayList<>();
    for (String line : log.lines().toList()) {
      String[] fields = line.split(", *", -1);
      // A step is logged when it is over.
      int step = (int) Math.max(0, Long.parseLong(fields[0].strip()) / stepMillis - 1);
      while (micros.size() <= step) {
        micros.add(0L);
      }
      micros.set(step, Math.max(micros.get(step), (Long.parseLong(fields[1]) + 999) / 1000));
    }
    return new Timeline(stepMillis, micros);
  }

  private static double micros(JsonTree side, String percentile) {
    return side.get("clat_ns").get("percentile").get(percentile).number() / 1e3;
  }
}
