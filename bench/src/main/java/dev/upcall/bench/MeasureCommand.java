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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs experiments and reports. Figures go to standard output, progress to standard error. */
@Command(mixinStandardHelpOptions = true)
final class MeasureCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private MeasureOptions options = new MeasureOptions();

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Keep the stores of the recovery experiment there, which take minutes to make, and take"
              + " those that are there.")
  private @Nullable Path kept;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "How long a sample of the ageing experiments takes: quick (a minute), standard (five) or"
              + " full (twenty); and how large tables are: a hundredth, a tenth, or all of it."
              + " Default: full")
  private Settings.Age age = Settings.Age.FULL;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "The same in minutes, 1 to 60; instead of --size.")
  private @Nullable Integer minutes;

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
    Settings settings =
        options.settings(spec.commandLine(), kept, minutes == null ? age.minutes() : minutes);
    try (Lab lab = new Lab(settings, spec.commandLine().getErr())) {
      Map<String, String> machine = Machine.describe(lab);
      table.machine(machine);
      Contest contest = new Contest(lab);
      for (Experiment experiment : experiments) {
        List<Comparison> wanted =
            experiment.prepare(lab).stream().filter(one -> one.title().contains(only)).toList();
        for (Comparison comparison : wanted) {
          Outcome outcome = contest.run(comparison);
          if (lab.isStopped()) {
            return Main.STOPPED;
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
      Files.writeString(json, JsonReport.of(machine, outcomes));
    }
    if (html != null) {
      Files.writeString(html, HtmlReport.page(machine, outcomes));
    }
  }
}
