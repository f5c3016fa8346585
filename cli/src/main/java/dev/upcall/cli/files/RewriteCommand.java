package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.trees.FileRewrite;
import dev.upcall.trees.TreeProgress;
import java.io.IOException;
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

  public RewriteCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    shell.stop().listen();
    return recursive ? below(store, at) : one(store, at);
  }

  private int below(Upcall store, String at) throws IOException {
    TreeRewrite.Result result = new TreeRewrite(store, shell, at).run();
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeStringField("path", at);
            json.writeNumberField("files", result.wanted());
            json.writeNumberField("rewritten", result.done());
            json.writeNumberField("changedMeanwhile", result.changed());
            json.writeNumberField("unreadable", result.unreadable());
          });
    } else {
      shell.say(at + ": " + result.words());
    }
    return result.exitCode();
  }

  private int one(Upcall store, String at) throws IOException {
    FileInfo before = store.stat(at);
    TreeProgress meter = new TreeProgress();
    ContentRewrite content = new ContentRewrite(store, meter, shell.stop()::isAsked);
    boolean isWhole =
        content.isWanted(before) ? anew(content, before, at, meter) : gathered(store, at, meter);
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

  private boolean anew(ContentRewrite content, FileInfo file, String at, TreeProgress meter)
      throws IOException {
    meter.totals(1, file.sizeBytes());
    try (ProgressLine _ = new ProgressLine(shell, "rewrite", meter)) {
      return switch (content.rewrite(StorePath.of(at))) {
        case DONE -> true;
        case STOPPED -> false;
        case CHANGED ->
            throw CommandFailure.failed(at + " was changed while it was rewritten; run it again");
      };
    }
  }

  private boolean gathered(Upcall store, String at, TreeProgress meter) {
    boolean goesOn = true;
    try (FileRewrite rewrite = FileRewrite.of(store, at);
        ProgressLine _ = new ProgressLine(shell, "rewrite", meter)) {
      long done = 0;
      while (goesOn && !shell.stop().isAsked()) {
        meter.totals(1, rewrite.totalBytes());
        goesOn = rewrite.step();
        meter.bytes(rewrite.doneBytes() - done);
        done = rewrite.doneBytes();
      }
    }
    return !goesOn;
  }
}
