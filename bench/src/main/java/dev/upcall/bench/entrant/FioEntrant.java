package dev.upcall.bench.entrant;

import dev.upcall.bench.harness.Course;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.harness.Timeline;
import dev.upcall.bench.host.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An entrant that is fio, started anew for each sample. */
public final class FioEntrant implements Running {
  private static final long GRACE_SECONDS = 120;

  private final Lab lab;
  private final String program;
  private final List<String> job;

  /** 0 when nobody looks. */
  private final int peakMillis;

  private FioEntrant(Lab lab, List<String> job, int peakMillis) {
    this.lab = lab;
    this.peakMillis = peakMillis;
    this.program = Programs.require("fio", "fio");
    this.job = job;
  }

  /**
   * An entrant of a job.
   *
   * @param job fio's options but for those of time and output
   */
  public static Entrant of(String name, List<String> job) {
    return new Entrant(
        name,
        Role.PEER,
        lab -> {
          List<String> timed = new ArrayList<>(job);
          timed.add("--time_based");
          timed.add("--runtime=" + lab.settings().runMillis() + "ms");
          return new FioEntrant(lab, timed, 0);
        });
  }

  /** The job of durable overwrites of 4 KiB, at random in a file that is there. */
  public static List<String> durableOverwrites(Path file, long bytes, int depth) {
    return List.of(
        "--filename=" + file,
        "--size=" + bytes,
        "--rw=randwrite",
        "--bs=4k",
        "--direct=1",
        "--sync=dsync",
        "--ioengine=pvsync2",
        "--thread",
        "--numjobs=" + depth,
        "--norandommap",
        "--randrepeat=0");
  }

  /** An entrant of a job that is done once and wholly for each sample. */
  public static Entrant whole(String name, List<String> job) {
    return new Entrant(name, Role.PEER, lab -> new FioEntrant(lab, job, 0));
  }

  /** The same, which tells the longest latency of each so many milliseconds. */
  public static Entrant watched(String name, List<String> job, int peakMillis) {
    return new Entrant(name, Role.PEER, lab -> new FioEntrant(lab, job, peakMillis));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program, "--name=bench"));
    command.addAll(job);
    command.add("--group_reporting");
    command.add("--output-format=json");
    if (peakMillis == 0) {
      return FioReport.parse(lab.run("fio", command, GRACE_SECONDS));
    }
    Path logs = Files.createTempDirectory(lab.scratch(), "fio-");
    command.addAll(
        List.of(
            "--write_lat_log=" + logs.resolve("log"),
            "--per_job_logs=0",
            "--log_max_value=1",
            "--log_avg_msec=" + peakMillis));
    try {
      Sample sample = FioReport.parse(lab.run("fio", command, GRACE_SECONDS));
      Path log = logs.resolve("log_clat.log");
      return new Sample(
          sample.units(),
          sample.seconds(),
          sample.cpuSeconds(),
          sample.latencies(),
          new Course(List.of(), peaks(log)));
    } finally {
      Lab.remove(logs);
    }
  }

  /** Of what was over before the first step was, fio leaves no log. */
  private Timeline peaks(Path log) throws IOException {
    return Files.exists(log) ? FioReport.peaks(Files.readString(log), peakMillis) : Timeline.NONE;
  }

  @Override
  public void close() {
    // Each sample's process has ended by itself.
  }
}
