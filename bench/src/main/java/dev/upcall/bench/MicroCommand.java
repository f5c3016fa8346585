package dev.upcall.bench;

import dev.upcall.bench.micro.WarmReadBenchmark;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs JMH's benchmarks with their own settings and says what came out: nanoseconds of each step,
 * and warm small reads beside {@code Files.readAllBytes} and other stores of the same run.
 */
@Command(
    name = "micro",
    description = {
      "Single steps, measured by JMH: kernel, buffer hit, name lookup, log append, checksum;",
      "looks at metadata by 1, 2 and 10 threads beside creates; and",
      "open, read and close of 4 KiB in memory, in each composition and engine, against",
      "Files.readAllBytes, RocksDB, MVStore, SQLite, LMDB and TuplDB. Nine minutes."
    },
    mixinStandardHelpOptions = true)
final class MicroCommand implements Callable<Integer> {
  /** What the project expects of the shared thread, as a multiple of {@code readAllBytes}. */
  private static final double AIM = 5;

  private static final String READS = WarmReadBenchmark.class.getName();
  private static final String LINE = "  %-44s %12s %10s %8s%n";
  private static final int QUICK_FILES = 50;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--quick", description = "Each once, with tiny inputs; the figures mean nothing.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only benchmarks with this in their names: WarmRead, say.")
  private String only = "";

  @Option(names = "--json", paramLabel = "FILE", description = "Write JMH's own results as JSON.")
  private @Nullable Path json;

  @Override
  public Integer call() throws IOException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(".*" + only + ".*")
            .shouldFailOnError(true)
            .verbosity(quick ? VerboseMode.SILENT : VerboseMode.NORMAL);
    if (quick) {
      tiny(options);
    }
    if (json != null) {
      options.result(json.toString()).resultFormat(ResultFormatType.JSON);
    }
    Collection<RunResult> results;
    try {
      results = new Runner(options.build()).run();
    } catch (RunnerException failed) {
      throw new IOException("JMH: " + failed.getMessage(), failed);
    }
    print(results);
    return CommandLine.ExitCode.OK;
  }

  /** Each benchmark once in this process, to see that it works. */
  static void tiny(ChainedOptionsBuilder options) {
    options
        .forks(0)
        .mode(Mode.SingleShotTime)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.NONE)
        .param("files", String.valueOf(QUICK_FILES));
  }

  private void print(Collection<RunResult> results) {
    PrintWriter out = spec.commandLine().getOut();
    List<RunResult> steps = results.stream().filter(one -> !isRead(one)).toList();
    List<RunResult> reads =
        results.stream()
            .filter(MicroCommand::isRead)
            .sorted(Comparator.comparing(this::nanos))
            .toList();
    if (!steps.isEmpty()) {
      out.printf(Locale.ROOT, "%nsingle steps%n");
      out.printf(Locale.ROOT, LINE, "", "ns", "+-", "");
      steps.forEach(one -> line(out, one, ""));
    }
    if (!reads.isEmpty()) {
      double plain = nanos(reads, WarmReadBenchmark.PLAIN);
      out.printf(
          Locale.ROOT, "%nopen, read, close of 4 KiB in memory   (aim: shared thread %.0f)%n", AIM);
      out.printf(Locale.ROOT, LINE, "", "ns", "+-", "x files");
      reads.forEach(one -> line(out, one, String.format(Locale.ROOT, "%.2f", plain / nanos(one))));
      verdict(out, plain / nanos(reads, WarmReadBenchmark.SHARED));
    }
    out.flush();
  }

  private void verdict(PrintWriter out, double ratio) {
    if (quick || Double.isNaN(ratio)) {
      return;
    }
    out.printf(
        Locale.ROOT,
        "On the store's own thread it is %.1f times as fast as Files.readAllBytes: the aim of %.0f is %s.%n",
        ratio,
        AIM,
        ratio >= AIM ? "reached" : "missed");
  }

  private static boolean isRead(RunResult result) {
    return result.getParams().getBenchmark().startsWith(READS + ".");
  }

  private void line(PrintWriter out, RunResult result, String ratio) {
    double error = result.getPrimaryResult().getScoreError();
    out.printf(
        Locale.ROOT,
        LINE,
        name(result.getParams()),
        String.format(Locale.ROOT, "%.1f", nanos(result)),
        Double.isNaN(error) ? "" : String.format(Locale.ROOT, "%.1f", error),
        ratio);
  }

  private static String name(BenchmarkParams params) {
    String whole = params.getBenchmark();
    if (whole.startsWith(READS + ".")) {
      return params.getParam("way");
    }
    String own = whole.substring(whole.lastIndexOf('.', whole.lastIndexOf('.') - 1) + 1);
    String given =
        params.getParamsKeys().stream()
            .map(key -> key + "=" + params.getParam(key))
            .collect(Collectors.joining(" "));
    return given.isEmpty() ? own : own + " " + given;
  }

  private double nanos(List<RunResult> reads, String way) {
    return reads.stream()
        .filter(one -> one.getParams().getParam("way").equals(way))
        .mapToDouble(this::nanos)
        .findFirst()
        .orElse(Double.NaN);
  }

  private double nanos(RunResult result) {
    double unit = result.getParams().getTimeUnit().toNanos(1);
    return result.getPrimaryResult().getScore() * unit;
  }
}
