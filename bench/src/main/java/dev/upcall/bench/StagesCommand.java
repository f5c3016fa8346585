package dev.upcall.bench;

import dev.upcall.bench.fsm.StageClaims;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Machine;
import dev.upcall.bench.harness.Settings;
import dev.upcall.bench.harness.Table;
import dev.upcall.bench.stages.StageJson;
import dev.upcall.bench.stages.StagePlan;
import dev.upcall.bench.stages.StageTable;
import dev.upcall.bench.stages.StageText;
import dev.upcall.bench.stages.StagesRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The stages of a request. Tables go to standard output, progress to standard error. */
@Command(
    name = "stages",
    description = {
      "Where the time of an open, read and close goes, by state machines and by threads.",
      "Ends with 1 when the stages do not add up to the whole.",
    },
    mixinStandardHelpOptions = true)
final class StagesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private MeasureOptions options = new MeasureOptions();

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only sides with this in their names: async, threads, virtual; warm, cold.")
  private String only = "";

  @Option(names = "--json", paramLabel = "FILE", description = "Write the tables as JSON.")
  private @Nullable Path json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = spec.commandLine();
    try (Lab lab =
        new Lab(options.settings(line, null, Settings.Age.FULL.minutes()), line.getErr())) {
      Map<String, String> machine = Machine.describe(lab);
      new Table(line.getOut()).machine(machine);
      StageTable table;
      try {
        table =
            new StagesRun(
                    lab, StagePlan.of(lab.settings().quick()), only, name -> lab.say("%s", name))
                .run();
      } catch (IOException broken) {
        if (lab.isStopped()) {
          return Main.STOPPED;
        }
        throw broken;
      }
      new StageText(line.getOut()).print(table);
      line.getOut().println();
      ClaimLines.print(line.getOut(), StageClaims.of(table));
      if (json != null) {
        Files.writeString(json, StageJson.of(machine, table));
      }
      return table.sumsHold() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
  }
}
