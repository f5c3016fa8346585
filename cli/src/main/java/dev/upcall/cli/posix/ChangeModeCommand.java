package dev.upcall.cli.posix;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.Trees;
import dev.upcall.trees.WalkOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall chmod}. */
@Command(
    name = "chmod",
    description = {
      "Set the permission bits of files and directories. The store keeps them and export writes them;"
          + " it does not ask them.",
    })
public final class ChangeModeCommand implements Around.Working {
  /** So many at once are durable together. */
  private static final int AT_ONCE = 256;

  @Parameters(
      index = "0",
      paramLabel = "MODE",
      description =
          "An octal number (644), or clauses of u, g, o, a with +, -, = and r, w, x, X, s, t:"
              + " u+x,go-w.")
  String mode = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "/path",
      description = "What to change; links are followed.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-R", "--recursive"},
      description = "Also what is below; links there are left alone.")
  boolean recursive;

  private final List<FileRequest> waiting = new ArrayList<>();
  private long changed;

  @Override
  public int run(Upcall store, Around around) throws IOException {
    ModeChange change = ModeChange.parse(mode);
    List<StorePath> parsed = paths.stream().map(StorePaths::parse).toList();
    boolean stopped = false;
    for (StorePath path : parsed) {
      FileInfo info = store.stat(path.toString());
      add(store, path, LinkPolicy.FOLLOW, change.applied(info.mode(), info.isDirectory()), info);
      stopped |= recursive && info.isDirectory() && !below(store, path, change, around);
    }
    flush(store);
    if (around.json()) {
      around.write(json -> json.writeNumberField("modesChanged", changed));
    }
    return stopped ? ExitCode.FAILED : ExitCode.OK;
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
        int wanted = change.applied(info.mode(), info.isDirectory());
        add(store, entry.path(), LinkPolicy.NO_FOLLOW, wanted, info);
      }
    }
    return true;
  }

  private void add(Upcall store, StorePath path, LinkPolicy links, int wanted, FileInfo info) {
    if (wanted == info.mode()) {
      return;
    }
    waiting.add(
        new FileRequest.SetMetadata(
            path, links, MetadataChange.NONE.withMode(wanted), FileCondition.NONE));
    if (waiting.size() == AT_ONCE) {
      flush(store);
    }
  }

  private void flush(Upcall store) {
    if (!waiting.isEmpty()) {
      store.batch(waiting);
      changed += waiting.size();
      waiting.clear();
    }
  }
}
