package dev.upcall.cli.posix;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.Trees;
import dev.upcall.trees.WalkOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall chmod}. */
@Command(
    name = "chmod",
    description = {
      "Set the permission bits of files and directories. The store keeps them and export writes"
          + " them; it does not ask them.",
    })
public final class ChangeModeCommand implements Around.Working {
  /** So many at once are durable together. */
  private static final int AT_ONCE = 256;

  @Parameters(
      arity = "1..*",
      paramLabel = "MODE|/path",
      description =
          "First the mode, unless --reference has it: an octal number (644), or clauses of u, g, o,"
              + " a with +, -, = and r, w, x, X, s, t: u+x,go-w. Then what to change; links are"
              + " followed.")
  List<String> operands = new ArrayList<>();

  @Option(
      names = {"-R", "--recursive"},
      description = "Also what is below; links there are left alone.")
  boolean recursive;

  @Option(
      names = "--reference",
      paramLabel = "/path",
      description = "The mode is that of this path of the store.")
  @Nullable String reference;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say of each what its mode was and is.")
  boolean verbose;

  private final List<FileRequest> waiting = new ArrayList<>();
  private final StringBuilder told = new StringBuilder();
  private long changed;
  private boolean stopped;

  @Override
  public int run(Upcall store, Around around) throws IOException {
    boolean named = reference == null;
    ModeChange change = named ? ModeChange.parse(operands.getFirst()) : null;
    List<String> paths = named ? operands.subList(1, operands.size()) : operands;
    if (paths.isEmpty()) {
      throw CommandFailure.usage("chmod needs a mode, and a path that it is for");
    }
    Operands each = Operands.ofPaths(paths, around.say(), around.isStopped());
    ModeChange wanted =
        change != null
            ? change
            : ModeChange.to(
                store.stat(StorePaths.parse(String.valueOf(reference)).toString()).mode());
    each.each(path -> change(store, StorePath.of(path), wanted, around));
    flush(store, around);
    if (around.json()) {
      around.write(
          json -> {
            json.writeNumberField("modesChanged", changed);
            each.write(json);
          });
    }
    return each.exitCode(stopped ? ExitCode.FAILED : ExitCode.OK);
  }

  private void change(Upcall store, StorePath path, ModeChange change, Around around) {
    FileInfo info = store.stat(path.toString());
    add(store, path, LinkPolicy.FOLLOW, change, info, around);
    stopped |= recursive && info.isDirectory() && !below(store, path, change, around);
  }

  /** Whether it came to its end. */
  private boolean below(Upcall store, StorePath top, ModeChange change, Around around) {
    Iterator<TreeEntry> entries = Trees.iterator(store, top.toString(), WalkOptions.DEFAULT);
    while (entries.hasNext()) {
      if (around.isStopped().getAsBoolean()) {
        return false;
      }
      TreeEntry entry = entries.next();
      FileInfo info = entry.info();
      if (entry.depth() > 0 && !info.isSymbolicLink()) {
        add(store, entry.path(), LinkPolicy.NO_FOLLOW, change, info, around);
      }
    }
    return true;
  }

  private void add(
      Upcall store,
      StorePath path,
      LinkPolicy links,
      ModeChange change,
      FileInfo info,
      Around around) {
    int wanted = change.applied(info.mode(), info.isDirectory());
    if (verbose && !around.json()) {
      told.append(told(path, info.mode(), wanted)).append(System.lineSeparator());
    }
    if (wanted == info.mode()) {
      return;
    }
    waiting.add(
        new FileRequest.SetMetadata(
            path, links, MetadataChange.NONE.withMode(wanted), FileCondition.NONE));
    if (waiting.size() == AT_ONCE) {
      flush(store, around);
    }
  }

  private static String told(StorePath path, int before, int after) {
    String name = Printable.of(path.toString());
    String mode = "%04o (%s)".formatted(after, ModeText.of(after));
    return before == after
        ? "mode of %s stays %s".formatted(name, mode)
        : "mode of %s changed from %04o (%s) to %s"
            .formatted(name, before, ModeText.of(before), mode);
  }

  private void flush(Upcall store, Around around) {
    if (!waiting.isEmpty()) {
      store.batch(waiting);
      changed += waiting.size();
      waiting.clear();
    }
    // Not before it is so.
    around.out().print(told);
    told.setLength(0);
  }
}
