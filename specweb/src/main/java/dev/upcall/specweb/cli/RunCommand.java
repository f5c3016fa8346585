package dev.upcall.specweb.cli;

import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Mode;
import dev.upcall.specweb.report.ReportJson;
import dev.upcall.specweb.report.ReportPage;
import dev.upcall.specweb.report.TestResult;
import dev.upcall.specweb.run.LoadSearch;
import dev.upcall.specweb.run.LoadTest;
import dev.upcall.specweb.run.Phases;
import dev.upcall.specweb.run.PointResult;
import dev.upcall.specweb.run.Preflight;
import dev.upcall.specweb.run.TestSetup;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Loads a server and reports. The table goes to standard output, progress to standard error. */
@Command(
    name = "run",
    description = {
      "Load a server that serves the file set, and report.",
      "The result is in the manner of SPECweb96 and must not be called a SPECweb96 result.",
    },
    footer = {
      "",
      "Exit codes: 0 all points valid, 1 failed, 2 wrong usage, 3 stopped or with invalid points.",
    },
    mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
  /** The points were not all measured, or not all of them count. */
  private static final int PARTLY = 3;

  /** A round of the search for the highest load, unless the points are shorter. */
  private static final Phases ROUND = new Phases(0.2, 1);

  /** The search ends at the latest after this time, or after that of a few points. */
  private static final double SEARCH_SECONDS = 60;

  private static final int SEARCH_POINTS = 4;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the report as JSON; - is standard output, instead of the table.")
  private @Nullable String json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the report as a page that needs nothing else.")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TestSetup setup;
    Phases phases;
    try {
      setup = options.setup();
      phases = options.phases();
      options.points(1);
      checkWritable(json == null || "-".equals(json) ? null : Path.of(json));
      checkWritable(html);
    } catch (IllegalArgumentException wrong) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    String server = Preflight.check(setup);
    StopWatch watch = new StopWatch(new StatusLine(spec.commandLine().getErr()));
    watch.listen();
    try (LoadTest test = new LoadTest(setup, watch)) {
      List<LoadPoint> points = points(test, watch, phases);
      TestResult nothing = new TestResult(setup, phases, names(server), List.of(), false);
      TestResult result = measure(test, watch, points, nothing);
      if ("-".equals(json)) {
        PrintWriter out = spec.commandLine().getOut();
        String report = ReportJson.of(result);
        out.print(report);
        out.flush();
        if (html != null) {
          Files.writeString(html, ReportPage.of(report));
        }
      } else {
        write(result);
        announce(result);
      }
      return result.isValid() ? CommandLine.ExitCode.OK : PARTLY;
    } finally {
      watch.finished();
    }
  }

  /** A report that cannot be written is told before the run and not after it. */
  private static void checkWritable(@Nullable Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    boolean isFree = !Files.isDirectory(file) && (Files.notExists(file) || Files.isWritable(file));
    if (folder == null || !Files.isWritable(folder) || !isFree) {
      throw new IllegalArgumentException("cannot write " + file);
    }
  }

  private TestResult.Names names(String server) {
    return new TestResult.Names(
        options.testName(),
        options.mode().label(),
        options.profileName(),
        options.rules(),
        server,
        options.notes());
  }

  /** The load points; the highest load is found first where it was not named. */
  private List<LoadPoint> points(LoadTest test, StopWatch watch, Phases phases)
      throws IOException, InterruptedException {
    if (!options.mustFindRate()) {
      return options.points(0);
    }
    watch.title("looking for the highest load");
    Phases round =
        new Phases(
            Math.min(ROUND.warmSeconds(), phases.warmSeconds()),
            Math.min(ROUND.runSeconds(), phases.runSeconds()));
    double most =
        Math.min(SEARCH_SECONDS, SEARCH_POINTS * (phases.warmSeconds() + phases.runSeconds()));
    LoadSearch.Found found = LoadSearch.run(() -> closedLoop(test, round), System::nanoTime, most);
    watch.clear();
    if (found == null) {
      return List.of();
    }
    double highest = Math.floor(found.opsPerSecond());
    if (highest < 1) {
      throw new IOException("the server answered nothing in a closed loop: no load can be found");
    }
    if (!"-".equals(json)) {
      say(found, highest);
    }
    return options.points(highest);
  }

  private LoadSearch.@Nullable Round closedLoop(LoadTest test, Phases round)
      throws IOException, InterruptedException {
    long compiled = compiledMillis();
    PointResult result = test.run(new LoadPoint(Mode.CLOSED, 0, options.processes()), 0, round);
    if (result == null || !result.isWhole()) {
      return null;
    }
    double compiling = (compiledMillis() - compiled) / 1e3 / round.runSeconds();
    return new LoadSearch.Round(
        result.reading().opsPerSecond(), compiling, result.isGeneratorBusy());
  }

  /** Time that this process's compiler has taken until now. */
  private static long compiledMillis() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
        ? 0
        : compiler.getTotalCompilationTime();
  }

  private void say(LoadSearch.Found found, double highest) {
    say(
        "%d clients in a closed loop reach %.0f ops/s after %.0f s: the highest load",
        options.processes(), highest, found.seconds());
    if (!found.isSteady()) {
      say("their rate was not steady yet: the server may be capable of more");
    }
    if (found.isGeneratorBusy()) {
      say(
          "the generator's threads were busy: they may be the limit, and not the server (--threads)");
    }
  }

  private TestResult measure(
      LoadTest test, StopWatch watch, List<LoadPoint> points, TestResult nothing)
      throws IOException, InterruptedException {
    PointTable table = new PointTable(spec.commandLine().getOut(), options.rules());
    List<PointResult> results = new ArrayList<>();
    for (int i = 0; i < points.size() && !watch.isAsked(); i++) {
      watch.title("point %d of %d".formatted(i + 1, points.size()));
      PointResult result = test.run(points.get(i), i + 1, nothing.phases());
      watch.clear();
      if (result != null) {
        results.add(result);
        if (!"-".equals(json)) {
          table.print(result);
          // After each, so that what was measured is kept whatever comes.
          write(nothing.with(results, false));
        }
      }
    }
    boolean isComplete = results.size() == points.size() && !points.isEmpty() && !watch.isAsked();
    return nothing.with(results, isComplete);
  }

  private void write(TestResult result) throws IOException, InterruptedException {
    if (json == null && html == null) {
      return;
    }
    String report = ReportJson.of(result);
    if (json != null) {
      Files.writeString(Path.of(json), report);
    }
    if (html != null) {
      Files.writeString(html, ReportPage.of(report));
    }
  }

  private void announce(TestResult result) {
    if (!result.isComplete()) {
      say("stopped before its end");
    }
    if (result.bestOpsPerSecond().isEmpty()) {
      say("no load point is valid");
      return;
    }
    say(
        "%.1f ops/s, SPECweb96-style (non-compliant, research), profile %s, %d errors",
        result.bestOpsPerSecond().getAsDouble(),
        result.names().profile(),
        result.points().stream().mapToLong(point -> point.reading().errors()).sum());
  }

  private void say(String format, Object... arguments) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(Locale.ROOT, format + "%n", arguments);
    out.flush();
  }
}
