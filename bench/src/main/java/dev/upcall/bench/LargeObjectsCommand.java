package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.largeobject.study.LargeObjectsPaper;
import dev.upcall.bench.largeobject.study.StudySize;
import dev.upcall.bench.report.Paper;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class LargeObjectsCommand extends PaperCommand {
  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (seconds; too few operations to decide most claims), standard (what the paper did,"
              + " three seeds; a fifth of the operations on the store; half an hour or so on two"
              + " idle cores), or full (nine seeds; all operations on the store, and objects of 10 GB, too,"
              + " which takes hours and 25 GB of room). Default: standard")
  private StudySize size = StudySize.STANDARD;

  @Override
  boolean isQuick() {
    return size == StudySize.QUICK;
  }

  @Override
  Paper paper(Lab lab) {
    return LargeObjectsPaper.of(lab, size);
  }
}
