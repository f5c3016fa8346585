package dev.upcall.cli.files;

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
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that makes a path of another, or several of several in a directory. */
public abstract class TwoPathsCommand extends ChangingCommand {
  @Parameters(
      arity = "2..*",
      paramLabel = "/path",
      description =
          "What it begins with, and last the new path; with a / at its end, or with several: the"
              + " directory they go into.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-f", "--replace"},
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
  protected final int run(Upcall store) throws IOException {
    String last = paths.getLast();
    StorePath to = StorePaths.parse(last);
    Operands sources =
        Operands.ofPaths(paths.subList(0, paths.size() - 1), shell::say, shell.stop()::isAsked);
    boolean into = last.endsWith("/") || !sources.isOne();
    if (!sources.isOne() && !store.stat(to.toString()).isDirectory()) {
      throw CommandFailure.failed(to + " is not a directory");
    }
    List<JsonDocument.Fields> all = new ArrayList<>();
    sources.each(
        path -> {
          StorePath source = StorePath.of(path);
          StorePath target =
              into ? StorePaths.parse((to.isRoot() ? "" : to) + "/" + source.lastName()) : to;
          FileInfo made = make(store, source, target);
          all.add(json -> Json.info(json, target.toString(), made, null));
        });
    if (output.json) {
      JsonDocument.write(shell.out(), json -> sources.write(json, "entries", all));
    }
    return sources.exitCode(ExitCode.OK);
  }

  private FileInfo make(Upcall store, StorePath source, StorePath target) {
    String at = target.toString();
    try {
      return make(store, source.toString(), at);
    } catch (UpcallException.AlreadyExists taken) {
      boolean directory = store.stat(at, LinkPolicy.NO_FOLLOW).isDirectory();
      throw CommandFailure.failed(
          taken.getMessage()
              + (directory ? "; to " + verb + " into it write " + at + "/" : "; use --replace"));
    }
  }

  /** {@code upcall mv}. */
  @Command(name = "mv", description = "Rename a file, link or whole directory, at once.")
  public static final class Move extends TwoPathsCommand {
    public Move(Shell shell) {
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
  public static final class Clone extends TwoPathsCommand {
    public Clone(Shell shell) {
      super(shell, "copy");
    }

    @Override
    FileInfo make(Upcall store, String source, String target) {
      return store.cloneFile(source, target, existenceOfTarget());
    }
  }
}
