package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Programs;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** An entrant that is fio, started anew for each sample. */
final class FioEntrant implements Running {
  private static final long GRACE_SECONDS = 120;

  private final Lab lab;
  private final String program;
  private final List<String> job;

  private FioEntrant(Lab lab, List<String> job) {
    this.lab = lab;
    this.program = Programs.require("fio", "fio");
    this.job = job;
  }

  /**
   * An entrant of a job.
   *
   * @param job fio's options but for those of time and output
   */
  static Entrant of(String name, List<String> job) {
    return new Entrant(
        name,
        Role.PEER,
        lab -> {
          List<String> timed = new ArrayList<>(job);
          timed.add("--time_based");
          timed.add("--runtime=" + lab.settings().runMillis() + "ms");
          return new FioEntrant(lab, timed);
        });
  }

  /** An entrant of a job that is done once and wholly for each sample. */
  static Entrant whole(String name, List<String> job) {
    return new Entrant(name, Role.PEER, lab -> new FioEntrant(lab, job));
  }

  @Override
  public Sample measure() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program, "--name=bench"));
    command.addAll(job);
    command.add("--group_reporting");
    command.add("--output-format=json");
    return FioReport.parse(lab.run("fio", command, GRACE_SECONDS));
  }

  @Override
  public void close() {
    // Each sample's process has ended by itself.
  }
}
