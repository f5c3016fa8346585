package dev.upcall.cli.volume;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.damage.DamagedFiles;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreCommand;
import dev.upcall.cli.store.StoreSharing;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.TableUse;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code upcall verify}. */
@Command(
    name = "verify",
    description = {
      "Check the whole structure of a store: every page, every name, every block's owner.",
      "Exit code 3 when something is wrong."
    })
public final class VerifyCommand extends StoreCommand.Looking {
  @Option(
      names = "--deep",
      description = "Also read all content and compare it with its checksums.")
  boolean deep;

  private final StoreSharing.Commands commands;
  private List<String> found = List.of();

  /**
   * The command.
   *
   * @param commands runs those that others ask for meanwhile
   */
  public VerifyCommand(Shell shell, StoreSharing.Commands commands) {
    super(shell);
    this.commands = commands;
  }

  @Override
  protected StoreSharing.Sharing share(Upcall store, Path volume) {
    return StoreSharing.share(store, StoreFiles.of(volume), shell, commands);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    long startNanos = System.nanoTime();
    Completion<VerifyReport> completion =
        new StoreWalk(shell, "verify").run(store, new VerifyOptions(deep));
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    found = store.info().opening().findings();
    return switch (completion) {
      case Completion.Done<VerifyReport>(VerifyReport report) ->
          report(report, DamagedFiles.of(store.fsm(), report), seconds);
      case Completion.Failed<VerifyReport>(Failure.Corrupt corrupt) -> {
        VerifyReport.Problem problem =
            new VerifyReport.Problem(corrupt.offsetBytes(), corrupt.message());
        yield report(
            new VerifyReport(
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                SpaceUse.NONE,
                TableUse.NONE,
                List.of(problem),
                1),
            DamagedFiles.NONE,
            seconds);
      }
      case Completion.Failed<VerifyReport>(Failure failure) -> throw UpcallException.of(failure);
    };
  }

  private int report(VerifyReport report, DamagedFiles files, double seconds) throws IOException {
    report
        .problems()
        .forEach(
            problem -> {
              shell.say("problem: " + problem);
              files.places(problem).forEach(place -> shell.say("  of " + place));
            });
    if (report.problemCount() > report.problems().size()) {
      shell.say(report.problemCount() - report.problems().size() + " more problems");
    }
    shell.say(
        String.format(
            Locale.ROOT,
            "verify done: %s; %d segments, %d names, %d blocks of metadata and %d of content,"
                + " %d of them read%s, and %d snapshots, in %.1f s",
            verdict(report),
            report.segments(),
            report.names(),
            report.metadataBlocks(),
            report.contentBlocks(),
            report.contentRead(),
            report.savedBlocks() == 0
                ? ""
                : ", %d more saved by compression".formatted(report.savedBlocks()),
            report.snapshots(),
            seconds));
    if (output.json) {
      writeJson(report, files, seconds);
    }
    // The opening has said its findings.
    return isSound(report) ? ExitCode.OK : ExitCode.PARTLY;
  }

  private boolean isSound(VerifyReport report) {
    return report.isSound() && found.isEmpty();
  }

  private String verdict(VerifyReport report) {
    if (!report.isSound()) {
      return report.problemCount() + " problems";
    }
    return found.isEmpty() ? "sound" : "sound but for what the opening found";
  }

  private void writeJson(VerifyReport report, DamagedFiles files, double seconds)
      throws IOException {
    Json.object(
        shell.out(),
        opening(),
        json -> {
          json.writeBooleanField("sound", isSound(report));
          json.writeNumberField("scn", report.scn());
          json.writeNumberField("segments", report.segments());
          json.writeNumberField("names", report.names());
          json.writeNumberField("orphans", report.orphans());
          json.writeNumberField("snapshots", report.snapshots());
          json.writeNumberField("metadataBlocks", report.metadataBlocks());
          json.writeNumberField("contentBlocks", report.contentBlocks());
          json.writeNumberField("sharedBlocks", report.sharedBlocks());
          json.writeNumberField("savedBlocks", report.savedBlocks());
          json.writeNumberField("unplacedBlocks", report.unplacedBlocks());
          json.writeNumberField("unusedBytes", report.unusedBytes());
          json.writeNumberField("contentRead", report.contentRead());
          SpaceText.write(json, report);
          json.writeNumberField("seconds", seconds);
          json.writeNumberField("problemCount", report.problemCount());
          json.writeArrayFieldStart("problems");
          for (VerifyReport.Problem problem : report.problems()) {
            json.writeStartObject();
            json.writeNumberField("offsetBytes", problem.offsetBytes());
            json.writeStringField("what", problem.what());
            files.write(json, problem);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
