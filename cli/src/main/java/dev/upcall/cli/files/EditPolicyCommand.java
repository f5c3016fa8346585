package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.content.EditPolicy;
import java.io.IOException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
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
public final class EditPolicyCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The file or directory.")
  String path = "";

  @ArgGroup(multiplicity = "1")
  Choice choice = new Choice();

  /** One of them. */
  static final class Choice {
    @Option(
        names = "--eos",
        paramLabel = "BLOCKS",
        description =
            "As EOS, with this threshold (1 to 256): around an edit, pieces of fewer blocks of 4 KiB"
                + " are joined.")
    @Nullable Integer threshold;

    @Option(
        names = "--esm",
        paramLabel = "BLOCKS",
        description =
            "As ESM, with leaves of so many blocks of 4 KiB (1 to 256): around an edit, each is at"
                + " least half full.")
    @Nullable Integer leaf;

    @Option(
        names = "--starburst",
        description = "As Starburst: all that is behind an edit is copied, 128 MiB at most.")
    boolean starburst;

    @Option(
        names = "--none",
        description = "Nothing but the rest of a block, which is what edits do by themselves.")
    boolean none;
  }

  public EditPolicyCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    EditPolicy policy = policy();
    FileInfo changed =
        store.setMetadata(at, LinkPolicy.FOLLOW, MetadataChange.NONE.withEditPolicy(policy));
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, changed, null));
    } else {
      shell.say(at + ": " + policy.text());
    }
    return ExitCode.OK;
  }

  private EditPolicy policy() {
    if (choice.threshold != null) {
      return blocks("--eos", choice.threshold, EditPolicy.Eos::new);
    }
    if (choice.leaf != null) {
      return blocks("--esm", choice.leaf, EditPolicy.Esm::new);
    }
    return choice.starburst ? new EditPolicy.Starburst() : EditPolicy.NONE;
  }

  private static EditPolicy blocks(String option, int blocks, IntFunction<EditPolicy> policy) {
    try {
      return policy.apply(blocks);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage(option + ": " + wrong.getMessage());
    }
  }
}
