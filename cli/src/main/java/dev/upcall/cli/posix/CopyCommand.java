package dev.upcall.cli.posix;

import dev.upcall.Existence;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeProblem;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeWatch;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall cp}. */
@Command(
    name = "cp",
    description = {
      "Copy files, and with -r whole trees, at once: copies share what neither side has changed"
          + " (as clone does).",
      "With several, or where /to is a directory, they go into it. Files that are there give way.",
    })
public final class CopyCommand implements Around.Working {
  @Parameters(
      arity = "2..*",
      paramLabel = "/path",
      description = "What to copy, and last where to.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-r", "-R", "-a", "--recursive", "--archive"},
      description =
          "Also directories with all below them; links are copied as links. Modes and times are kept,"
              + " as with -a.")
  boolean recursive;

  @Option(
      names = {"-n", "--no-clobber"},
      description = "Files that are there stay, and are named.")
  boolean keep;

  @Option(
      names = {"-f", "--force"},
      description = "Files that are there give way, as they do anyway.")
  boolean force;

  private long copied;
  private boolean stopped;
  private final List<TreeProblem> problems = new ArrayList<>();

  @Override
  public int run(Upcall store, Around around) throws IOException {
    if (keep && force) {
      throw CommandFailure.usage("--no-clobber and --force contradict each other; name one");
    }
    String last = paths.getLast();
    StorePath to = StorePaths.parse(last);
    List<StorePath> sources =
        paths.subList(0, paths.size() - 1).stream().map(StorePaths::parse).toList();
    FileInfo there = statIfAny(store, to);
    boolean into = there != null && there.isDirectory();
    // cp -r /dir/ /new/ makes /new.
    boolean isNewTree =
        there == null && recursive && sources.size() == 1 && isDirectory(store, sources.getFirst());
    if (!into && !isNewTree && (sources.size() > 1 || last.endsWith("/"))) {
      throw CommandFailure.failed(to + " is not a directory");
    }
    Operands operands =
        new Operands(
            sources.stream().map(StorePath::toString).toList(), around.say(), around.isStopped());
    operands.each(
        path -> {
          StorePath source = StorePath.of(path);
          StorePath target =
              into && !source.isRoot()
                  ? StorePaths.parse((to.isRoot() ? "" : to) + "/" + source.lastName())
                  : to;
          copy(store, source, target, around);
        });
    problems.forEach(
        problem -> around.say().accept("not copied: " + problem.path() + ": " + problem.reason()));
    if (around.json()) {
      around.write(
          json -> {
            json.writeNumberField("copied", copied);
            Json.problems(
                json, Stream.concat(problems.stream(), operands.problems().stream()).toList());
          });
    }
    return operands.exitCode(
        stopped ? ExitCode.FAILED : problems.isEmpty() ? ExitCode.OK : ExitCode.PARTLY);
  }

  private void copy(Upcall store, StorePath source, StorePath target, Around around)
      throws IOException {
    if (source.equals(target)) {
      throw CommandFailure.failed(source + " cannot be copied to itself");
    }
    if (recursive) {
      CopyOptions options = new CopyOptions(source, target, keep ? Present.KEEP : Present.REPLACE);
      TreeWatch watch = TreeWatch.none().withCancelled(around.isStopped());
      TreeSummary summary = Trees.cloning(store, options, watch).run();
      copied += summary.files() + summary.links() + summary.directories();
      problems.addAll(summary.problems());
      stopped |= summary.end() != TreeSummary.End.COMPLETE;
      return;
    }
    FileInfo info = store.stat(source.toString());
    if (info.isDirectory()) {
      throw CommandFailure.failed(source + " is a directory; use cp -r");
    }
    try {
      store.cloneFile(
          source.toString(), target.toString(), keep ? Existence.MUST_NOT_EXIST : Existence.ANY);
      copied++;
    } catch (UpcallException.AlreadyExists there) {
      problems.add(new TreeProblem(target.toString(), String.valueOf(there.getMessage())));
    }
  }

  private static boolean isDirectory(Upcall store, StorePath path) {
    FileInfo there = statIfAny(store, path);
    return there != null && there.isDirectory();
  }

  private static @Nullable FileInfo statIfAny(Upcall store, StorePath path) {
    try {
      return store.stat(path.toString(), LinkPolicy.FOLLOW);
    } catch (UpcallException.NotFound absent) {
      return null;
    }
  }
}
