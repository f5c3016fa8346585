package dev.upcall.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Benchmarks cannot rot: each runs once in this JVM. It measures nothing. */
class BenchmarksRunTest {
  @Test
  void eachBenchmarkRunsOnce() throws RunnerException {
    Set<String> listed =
        BenchmarkList.defaultList()
            .getAll(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
            .stream()
            .map(entry -> entry.getUsername())
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(listed.size() > 0, "no benchmark found");

    ChainedOptionsBuilder once =
        new OptionsBuilder().shouldFailOnError(true).verbosity(VerboseMode.SILENT);
    MicroCommand.tiny(once);
    Collection<RunResult> results = new Runner(once.build()).run();

    Set<String> run = new TreeSet<>();
    results.forEach(result -> run.add(result.getParams().getBenchmark()));
    assertEquals(listed, run);
  }
}
