package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.Sizes;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import java.io.IOException;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that changes a file of the store in the middle, at once and durably. */
abstract class EditingCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The file.")
  String path = "";

  @Option(
      names = "--offset",
      paramLabel = "SIZE",
      converter = Sizes.class,
      required = true,
      description = "The first byte that it is about; the file's size is its end.")
  Long offset = 0L;

  EditingCommand(Shell shell) {
    super(shell);
  }

  /** Collects the edit. */
  abstract void edit(Upcall.RandomAccess file) throws IOException;

  @Override
  protected final int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    FileInfo edited;
    Upcall.RandomAccess file = store.open(at, OpenMode.EXISTING);
    boolean collected = false;
    try {
      edit(file);
      collected = true;
      file.flush();
      edited = file.info();
    } finally {
      // A close would commit what was collected of an edit that failed.
      if (collected) {
        file.close();
      } else {
        file.abandon();
      }
    }
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, edited, null));
    } else {
      shell.say(at + ": " + edited.sizeBytes() + " bytes");
    }
    return ExitCode.OK;
  }
}
