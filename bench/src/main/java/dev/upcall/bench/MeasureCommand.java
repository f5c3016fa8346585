package dev.upcall.bench;

import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Contest;
import dev.upcall.bench.harness.HtmlReport;
import dev.upcall.bench.harness.JsonReport;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.bench.harness.Outcome;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.harness.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs experiments and reports. Figures go to standard output, progress to standard error. */
@Command(mixinStandardHelpOptions = true)
final class MeasureCommand implements Callable<Integer> {
  private static final int QUICK_REPETITIONS = 1;
  private static final int QUICK_MILLIS = 100;

  /** What shells say of a command that Ctrl-C ended. */
  private static final int STOPPED = 130;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--quick",
      description = "Tiny inputs, to see that everything works; the figures mean nothing.")
  private boolean quick;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Samples of each entrant, taken in turn. Default: 5")
  private @Nullable Integer repetitions;

  @Option(names = "--seconds", paramLabel = "S", description = "Time of a sample. Default: 3")
  private @Nullable Double seconds;

  @Option(
      names = "--warm-seconds",
      paramLabel = "S",
      description = "The longest warm-up; it ends before when the compiler is quiet. Default: 40")
  private double warmSeconds = 40;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where scratch files go; its device is measured. Default: here")
  private Path directory = Path.of("");

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep the stores of the recovery experiment there, which take minutes to make, and take"
              + " those that are there.")
  private @Nullable Path kept;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only comparisons with this in their titles.")
  private String only = "";

  @Option(names = "--json", paramLabel = "FILE", description = "Write all samples as JSON.")
  private @Nullable Path json;

  @Option(names = "--html", paramLabel = "FILE", description = "Write a page with tables and bars.")
  private @Nullable Path html;

  private final List<Experiment> experiments;

  MeasureCommand(List<Experiment> experiments) {
    this.experiments = experiments;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Table table = new Table(spec.commandLine().getOut());
    List<Outcome> outcomes = new ArrayList<>();
    try (Lab lab = new Lab(settings(), spec.commandLine().getErr())) {
      Map<String, String> machine = Machine.describe(lab);
      table.machine(machine);
      Contest contest = new Contest(lab);
      for (Experiment experiment : experiments) {
        List<Comparison> wanted =
            experiment.prepare(lab).stream().filter(one -> one.title().contains(only)).toList();
        for (Comparison comparison : wanted) {
          Outcome outcome = contest.run(comparison);
          if (lab.isStopped()) {
            return STOPPED;
          }
          table.print(outcome);
          outcomes.add(outcome);
          // After each, so that what was measured is kept whatever comes.
          write(machine, outcomes);
        }
      }
    }
    return outcomes.stream().anyMatch(Outcome::hasFailures)
        ? CommandLine.ExitCode.SOFTWARE
        : CommandLine.ExitCode.OK;
  }

  private void write(Map<String, String> machine, List<Outcome> outcomes) throws IOException {
    if (json != null) {
      JsonReport.write(json, machine, outcomes);
    }
    if (html != null) {
      HtmlReport.write(html, machine, outcomes);
    }
  }

  private Settings settings() {
    double length = seconds == null ? (quick ? QUICK_MILLIS / 1e3 : 3) : seconds;
    int count = repetitions == null ? (quick ? QUICK_REPETITIONS : 5) : repetitions;
    try {
      return new Settings(
          count,
          (int) Math.round(length * 1e3),
          quick ? QUICK_MILLIS : (int) Math.round(warmSeconds * 1e3),
          quick,
          directory,
          kept);
    } catch (IllegalArgumentException wrong) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(wrong.getMessage()));
    }
  }
}
