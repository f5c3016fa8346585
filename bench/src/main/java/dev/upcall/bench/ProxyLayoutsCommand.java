package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.proxy.study.ProxyPaper;
import dev.upcall.bench.proxy.study.StudySize;
import dev.upcall.bench.proxy.study.TraceFiles;
import dev.upcall.bench.report.Paper;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the proxy paper's experiments again. Claims go to standard output. */
@Command(
    name = "proxy-layouts",
    description = {
      "How a proxy cache should lay its objects out on disk: CERN, Squid, mapped files, on one"
          + " page.",
      "Time of the first parts is virtual: the same size gives the same figures on every machine. The"
          + " last ones are measured, on real files, a mapped file and our store, which lie in --out"
          + " meanwhile. Writes proxy-layouts.html and proxy-layouts.json after each part, so that"
          + " Ctrl-C leaves what was made.",
    },
    mixinStandardHelpOptions = true)
final class ProxyLayoutsCommand extends PaperCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (a tenth of the trace and of the machine, seconds; decides nothing), standard (the"
              + " paper's trace, three seeds, ten minutes at most on two idle cores), or full (nine"
              + " seeds). Default: standard")
  private StudySize size = StudySize.STANDARD;

  @Option(
      names = "--traces",
      paramLabel = "DIR",
      description =
          "Write the requests of the first seed there, and what each layout asks of the disks on"
              + " day 2 as block traces, for upcall blocks.")
  private @Nullable Path traces;

  @Override
  boolean isQuick() {
    return size == StudySize.QUICK;
  }

  @Override
  Paper paper(Lab lab) {
    Path folder = traces;
    return ProxyPaper.of(
        lab,
        size,
        new TraceFiles(
            folder == null ? null : ReportFiles.folder(spec.commandLine(), "--traces", folder)));
  }
}
