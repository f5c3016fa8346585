package dev.upcall.bench;

import dev.upcall.bench.largeobject.study.LargeObjectsPaper;
import dev.upcall.bench.largeobject.study.StudySize;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the large-object paper's experiments again. Claims go to standard output. */
@Command(
    name = "large-objects",
    description = {
      "Inserts and deletes in the middle of large objects: ESM, Starburst and EOS, on one page.",
      "Counts what the paper's disk would do; then measures the same streams on the store, whose"
          + " volumes lie in --out meanwhile. Writes large-objects.html and large-objects.json after"
          + " each experiment, so that Ctrl-C leaves what was made.",
    },
    mixinStandardHelpOptions = true)
final class LargeObjectsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (seconds; too few operations to decide most claims), standard (what the paper did,"
              + " three seeds; a fifth of the operations on the store; half an hour or so on two"
              + " idle cores), or full (nine seeds; all operations on the store, and objects of 10 GB, too,"
              + " which takes hours and 25 GB of room). Default: standard")
  private StudySize size = StudySize.STANDARD;

  @Mixin private ReportFiles files = new ReportFiles();

  @Override
  public Integer call() throws IOException, InterruptedException {
    return files.make(
        spec.commandLine(), size == StudySize.QUICK, lab -> new LargeObjectsPaper(lab, size));
  }
}
