package dev.upcall.cli.files;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.util.Iterator;
import java.util.stream.Stream;

/** {@code upcall rewrite -R}: all files of a tree that are not stored as they say. */
final class TreeRewrite {
  private final Upcall store;
  private final Shell shell;
  private final String at;
  private final TreeProgress meter = new TreeProgress();
  private final ContentRewrite files;
  private long wanted;
  private long wantedBytes;
  private long done;
  private long changed;
  private long unreadable;
  private boolean isStopped;

  TreeRewrite(Upcall store, Shell shell, String at) {
    this.store = store;
    this.shell = shell;
    this.at = at;
    this.files = new ContentRewrite(store, meter, shell.stop()::isAsked);
  }

  /** The outcome. */
  record Result(long wanted, long done, long changed, long unreadable, boolean isStopped) {
    int exitCode() {
      if (isStopped) {
        return ExitCode.INTERRUPTED;
      }
      return changed + unreadable > 0 ? ExitCode.PARTLY : ExitCode.OK;
    }

    String words() {
      return "%d of %d files are stored anew%s%s%s"
          .formatted(
              done,
              wanted,
              changed == 0 ? "" : "; %d were changed meanwhile, run it again".formatted(changed),
              unreadable == 0 ? "" : "; %d cannot be read".formatted(unreadable),
              isStopped ? "; not to its end" : "");
    }
  }

  /** Looks how much there is to do, and does it, one file after the other. */
  Result run() throws IOException {
    // Only then sizes tell how content is stored.
    store.checkpoint();
    try (Stream<TreeEntry> all = Trees.walk(store, at)) {
      all.map(TreeEntry::info)
          .filter(files::isWanted)
          .forEach(
              file -> {
                wanted++;
                wantedBytes += file.sizeBytes();
              });
    }
    meter.totals(wanted, wantedBytes);
    try (ProgressLine _ = new ProgressLine(shell, "rewrite", meter);
        Stream<TreeEntry> all = Trees.walk(store, at)) {
      for (Iterator<TreeEntry> each = all.iterator(); each.hasNext() && !isStopped; ) {
        TreeEntry entry = each.next();
        if (files.isWanted(entry.info())) {
          meter.at(entry.path().toString());
          rewrite(entry);
          meter.entry();
        }
        isStopped |= shell.stop().isAsked();
      }
    }
    return new Result(wanted, done, changed, unreadable, isStopped);
  }

  private void rewrite(TreeEntry entry) throws IOException {
    try {
      switch (files.rewrite(entry.path())) {
        case DONE -> done++;
        case CHANGED -> changed++;
        case STOPPED -> isStopped = true;
      }
    } catch (UpcallException.VolumeFull full) {
      throw CommandFailure.failed(
          "%s: %s; %d of %d files are stored anew, the others as they were: make room and run it again"
              .formatted(entry.path(), full.getMessage(), done, wanted));
    } catch (UpcallException.Corrupt | UpcallException.Device damaged) {
      unreadable++;
      shell.say(entry.path() + ": " + damaged.getMessage());
    }
  }
}
