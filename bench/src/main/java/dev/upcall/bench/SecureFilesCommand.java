package dev.upcall.bench;

import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.report.Paper;
import dev.upcall.bench.securefile.study.SecureFilesPaper;
import dev.upcall.bench.securefile.study.StudySize;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes the SecureFiles paper's experiments again. Claims go to standard output. */
@Command(
    name = "securefiles",
    description = {
      "Objects of five sizes, from e-mails to videos, loaded durably and read in random order, by"
          + " streams, beside the file system and other stores, on one page.",
      "Stores lie in --out meanwhile. Before each reading the kernel is asked to forget the pages"
          + " of all files, where this process may do that. Writes securefiles.html and"
          + " securefiles.json after each part, so that Ctrl-C leaves what was made.",
    },
    mixinStandardHelpOptions = true)
final class SecureFilesCommand extends PaperCommand {
  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description =
          "quick (10 MB of a set, a minute; decides nothing), standard (half a gigabyte of a set,"
              + " 20 minutes or so), or full (two gigabytes of a set, more streams). Default:"
              + " standard")
  private StudySize size = StudySize.STANDARD;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only parts with this in their titles; the page has no others then.")
  private String only = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  boolean isQuick() {
    return size == StudySize.QUICK;
  }

  @Override
  Paper paper(Lab lab) {
    Paper all = SecureFilesPaper.of(lab, size);
    Paper wanted = all.only(only);
    if (wanted.titles().isEmpty()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--only: no part has \"%s\" in its title; there are %s"
              .formatted(only, String.join("; ", all.titles())));
    }
    return wanted;
  }
}
