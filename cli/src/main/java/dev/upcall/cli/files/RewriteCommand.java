package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.trees.FileRewrite;
import dev.upcall.trees.Pace;
import dev.upcall.trees.TreeProblem;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.TreeWatch;
import dev.upcall.trees.Trees;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall rewrite}. */
@Command(
    name = "rewrite",
    description = {
      "Make a file that was edited in many places lie together again, while others use it; or"
          + " compress a file, or do so no more, as was chosen since it was put.",
      "Ctrl-C ends it; what is done stays, and the next run goes on there."
    })
public final class RewriteCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The file, or with -R a directory.")
  String path = "";

  @Option(
      names = {"-R", "--recursive"},
      description =
          "All files below that are not compressed as was chosen for them, and no others.")
  boolean recursive;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      converter = Sizes.class,
      description =
          "So much content a second at most (20m), on average. Default: as fast as it goes.")
  @Nullable Long rate;

  public RewriteCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    if (rate != null && rate < 1) {
      throw CommandFailure.usage("--rate is at least 1");
    }
    shell.stop().listen();
    return recursive ? below(store, at) : one(store, at);
  }

  private int below(Upcall store, String at) throws IOException {
    TreeProgress meter = new TreeProgress();
    TreeSummary done = storedAnew(store, at, meter);
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeStringField("path", at);
            json.writeNumberField("files", meter.totalEntries());
            json.writeNumberField("rewritten", done.files());
            json.writeNumberField("changedMeanwhile", done.unchanged());
            json.writeNumberField("unreadable", done.problemCount());
          });
    } else {
      shell.say(
          "%s: %s%s%s%s"
              .formatted(
                  at,
                  done(done, meter),
                  done.unchanged() == 0
                      ? ""
                      : "; %d were changed meanwhile, run it again".formatted(done.unchanged()),
                  done.problemCount() == 0
                      ? ""
                      : "; %d cannot be read".formatted(done.problemCount()),
                  isWhole(done) ? "" : "; not to its end"));
    }
    if (!isWhole(done)) {
      return ExitCode.INTERRUPTED;
    }
    return done.unchanged() + done.problemCount() > 0 ? ExitCode.PARTLY : ExitCode.OK;
  }

  private static String done(TreeSummary done, TreeProgress meter) {
    return "%d of %d files are stored anew".formatted(done.files(), meter.totalEntries());
  }

  private static boolean isWhole(TreeSummary done) {
    return done.end() == TreeSummary.End.COMPLETE;
  }

  private TreeSummary storedAnew(Upcall store, String at, TreeProgress meter) throws IOException {
    TreeWatch watch =
        TreeWatch.none()
            .withProgress(meter)
            .withCancelled(shell.stop()::isAsked)
            .withOnProblem(
                unreadable -> {
                  shell.say(unreadable.path() + ": " + unreadable.reason());
                  return TreeProblem.Verdict.GO_ON;
                });
    TreeTask task = Trees.rewriting(store, at, pace(), watch);
    try (ProgressLine _ = new ProgressLine(shell, "rewrite", meter)) {
      return task.run();
    } catch (UpcallException.VolumeFull full) {
      throw CommandFailure.failed(
          "%s: %s; %s, the others as they were: make room and run it again"
              .formatted(
                  meter.currentPath().orElse(at), full.getMessage(), done(task.soFar(), meter)));
    }
  }

  private Pace pace() {
    return rate == null ? Pace.unlimited() : Pace.of(rate);
  }

  private int one(Upcall store, String at) throws IOException {
    FileInfo before = store.stat(at);
    if (before.isDirectory()) {
      throw CommandFailure.failed(at + " is a directory; -R does all files below");
    }
    TreeProgress meter = new TreeProgress();
    TreeSummary done = storedAnew(store, at, meter);
    if (done.unchanged() > 0) {
      throw CommandFailure.failed(at + " was changed while it was rewritten; run it again");
    }
    if (done.problemCount() > 0) {
      return ExitCode.FAILED;
    }
    boolean isWhole = isWhole(done) && (meter.totalEntries() > 0 || gathered(store, at));
    FileInfo after = store.stat(at);
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, after, null));
    } else {
      FileInfo.Stored now = after.stored();
      FileInfo.Stored then = before.stored();
      shell.say(
          "%s: %d bytes in %d pieces were %d in %d%s"
              .formatted(
                  at,
                  now.bytes(),
                  now.pieces(),
                  then.bytes(),
                  then.pieces(),
                  isWhole ? "" : "; not to its end"));
    }
    return isWhole ? ExitCode.OK : ExitCode.INTERRUPTED;
  }

  private boolean gathered(Upcall store, String at) {
    TreeProgress meter = new TreeProgress();
    Pace pace = pace();
    boolean goesOn = true;
    try (FileRewrite rewrite = FileRewrite.of(store, at);
        ProgressLine _ = new ProgressLine(shell, "rewrite", meter)) {
      long stepBytes = 0;
      while (goesOn && pace.take(stepBytes, shell.stop()::isAsked)) {
        meter.totals(1, rewrite.totalBytes());
        long before = rewrite.doneBytes();
        goesOn = rewrite.step();
        stepBytes = rewrite.doneBytes() - before;
        meter.bytes(stepBytes);
      }
    }
    return !goesOn;
  }
}
