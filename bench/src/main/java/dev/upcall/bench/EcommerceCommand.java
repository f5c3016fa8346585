package dev.upcall.bench;

import dev.upcall.bench.ecommerce.study.EcommercePaper;
import dev.upcall.bench.ecommerce.study.StudySize;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.report.Paper;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the study of e-commerce storage again. Claims go to standard output. */
@Command(
    name = "ecommerce",
    description = {
      "Block traffic of TPC-W, RUBiS and TPC-C before a modelled drive, on one page.",
      "All time is virtual: the same size gives the same figures on every machine. Writes"
          + " ecommerce.html and ecommerce.json after each part, so that Ctrl-C leaves what was"
          + " made.",
    },
    mixinStandardHelpOptions = true)
final class EcommerceCommand extends PaperCommand {
  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (seconds; too small to decide anything), standard (a sixteenth of the paper's"
              + " tables, three seeds, half an hour), or full (five seeds, half an hour of virtual"
              + " time each, several hours). Default: standard")
  private StudySize size = StudySize.STANDARD;

  @Override
  boolean isQuick() {
    return size == StudySize.QUICK;
  }

  @Override
  Paper paper(Lab lab) {
    return EcommercePaper.of(size);
  }
}
