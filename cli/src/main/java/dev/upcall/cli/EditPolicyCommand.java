package dev.upcall.cli;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall edit-policy}. */
@Command(
    name = "edit-policy",
    description = {
      "Choose what is copied together when a file is edited in the middle, or a file that will be"
          + " made in a directory."
    })
final class EditPolicyCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The file or directory.")
  String path = "";

  @ArgGroup(multiplicity = "1")
  Choice choice = new Choice();

  /** One of both. */
  static final class Choice {
    @Option(
        names = "--eos",
        paramLabel = "BLOCKS",
        description =
            "As EOS, with this threshold (1 to 256): around an edit, pieces of fewer blocks of 4 KiB"
                + " are joined.")
    int blocks;

    @Option(
        names = "--none",
        description = "Nothing but the rest of a block, which is what edits do by themselves.")
    boolean none;
  }

  EditPolicyCommand(Shell shell) {
    super(shell);
  }

  @Override
  int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    FileInfo changed = store.setMetadata(at, LinkPolicy.FOLLOW, change());
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, changed, null));
    } else {
      shell.say(at + ": " + (choice.none ? "none" : "eos " + choice.blocks));
    }
    return ExitCode.OK;
  }

  private MetadataChange change() {
    if (choice.none) {
      return MetadataChange.NONE.withoutEditThreshold();
    }
    try {
      return MetadataChange.NONE.withEditThreshold(choice.blocks);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage("--eos: " + wrong.getMessage());
    }
  }
}
