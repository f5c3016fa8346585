package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
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
import picocli.CommandLine.Parameters;

/** {@code upcall rewrite}. */
@Command(
    name = "rewrite",
    description = {
      "Make a file that was edited in many places lie together again, while others use it.",
      "Ctrl-C ends it; what is done stays, and the next run goes on there."
    })
public final class RewriteCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The file.")
  String path = "";

  public RewriteCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    shell.stop().listen();
    long before = store.stat(at).stored().pieces();
    TreeProgress meter = new TreeProgress();
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
    FileInfo after = store.stat(at);
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, after, null));
    } else {
      shell.say(
          "%s: %d pieces were %d%s"
              .formatted(at, after.stored().pieces(), before, goesOn ? "; not to its end" : ""));
    }
    return goesOn ? ExitCode.INTERRUPTED : ExitCode.OK;
  }
}
