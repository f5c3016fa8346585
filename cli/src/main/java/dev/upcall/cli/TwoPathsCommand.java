package dev.upcall.cli;

import dev.upcall.Existence;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that makes one path of another. */
abstract class TwoPathsCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/from", description = "What it begins with.")
  String from = "";

  @Parameters(
      index = "1",
      paramLabel = "/to",
      description = "The new path; with a / at the end: the directory it goes into.")
  String to = "";

  @Option(
      names = "--replace",
      description = "What is there gives way: a file to a file, an empty directory to a directory.")
  boolean replace;

  private final String verb;

  /**
   * A command.
   *
   * @param verb what it does with one thing and a directory: "move"
   */
  TwoPathsCommand(Shell shell, String verb) {
    super(shell);
    this.verb = verb;
  }

  /** Does it; the paths are well-formed. */
  abstract FileInfo make(Upcall store, String source, String target);

  /** What may be under the new path. */
  final Existence existenceOfTarget() {
    return replace ? Existence.ANY : Existence.MUST_NOT_EXIST;
  }

  @Override
  final int run(Upcall store) throws IOException {
    StorePath source = StorePaths.parse(from);
    StorePath target = StorePaths.parse(to);
    if (to.endsWith("/")) {
      target = StorePaths.parse((target.isRoot() ? "" : target) + "/" + source.lastName());
    }
    String at = target.toString();
    FileInfo made;
    try {
      made = make(store, source.toString(), at);
    } catch (UpcallException.AlreadyExists taken) {
      boolean directory = store.stat(at, LinkPolicy.NO_FOLLOW).isDirectory();
      throw CommandFailure.failed(
          taken.getMessage()
              + (directory ? "; to " + verb + " into it write " + at + "/" : "; use --replace"));
    }
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, made, null));
    }
    return ExitCode.OK;
  }

  /** {@code upcall mv}. */
  @Command(name = "mv", description = "Rename a file, link or whole directory, at once.")
  static final class Move extends TwoPathsCommand {
    Move(Shell shell) {
      super(shell, "move");
    }

    @Override
    FileInfo make(Upcall store, String source, String target) {
      return store.rename(source, target, existenceOfTarget());
    }
  }

  /** {@code upcall clone}. */
  @Command(
      name = "clone",
      description = "Copy a file at once, whatever its size: both share what neither has changed.")
  static final class Clone extends TwoPathsCommand {
    Clone(Shell shell) {
      super(shell, "copy");
    }

    @Override
    FileInfo make(Upcall store, String source, String target) {
      return store.cloneFile(source, target, existenceOfTarget());
    }
  }
}
