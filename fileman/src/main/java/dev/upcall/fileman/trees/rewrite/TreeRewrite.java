package dev.upcall.fileman.trees.rewrite;

import dev.upcall.LinkPolicy;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.trees.Pace;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** All files of a tree that are not stored as they say, one after the other. */
public final class TreeRewrite {
  private final Upcall store;
  private final StorePath at;
  private final RewriteRun run;
  private final ContentRewrite files;
  private long wanted;
  private long wantedBytes;

  /** Nothing is done yet. */
  public TreeRewrite(Upcall store, StorePath at, Pace pace, RewriteRun run) {
    this.store = store;
    this.at = at;
    this.run = run;
    this.files = new ContentRewrite(store, pace, run);
  }

  /**
   * Looks how much there is to do, and does it.
   *
   * @return whether it was ended early
   */
  public boolean run() throws IOException {
    // Only then sizes tell how content is stored.
    store.checkpoint();
    StorePath start = start();
    try (Stream<TreeEntry> all = Trees.walk(store, start)) {
      all.filter(entry -> files.isWanted(entry.info()))
          .forEach(
              entry -> {
                files.check(entry);
                wanted++;
                wantedBytes += entry.info().sizeBytes();
              });
    }
    TreeProgress progress = run.progress();
    progress.totals(wanted, wantedBytes);
    try (Stream<TreeEntry> all = Trees.walk(store, start)) {
      for (Iterator<TreeEntry> each = all.iterator(); each.hasNext(); ) {
        TreeEntry entry = each.next();
        if (run.isStopped()) {
          return true;
        }
        if (files.isWanted(entry.info())) {
          progress.at(entry.path().toString());
          if (!rewrite(entry)) {
            return true;
          }
          progress.entry();
        }
      }
    }
    return false;
  }

  /** Where the path leads: a walk takes a link for what it is, and so finds no file in it. */
  private StorePath start() {
    store.stat(at); // fails as it should where that is nowhere
    List<StorePath> led = store.resolve(at, LinkPolicy.FOLLOW).led();
    return led.isEmpty() ? at : led.getLast();
  }

  private boolean rewrite(TreeEntry entry) throws IOException {
    String path = entry.path().toString();
    try {
      return switch (files.rewrite(entry.path())) {
        case DONE -> {
          run.rewritten(entry.info().sizeBytes());
          yield true;
        }
        case CHANGED -> {
          run.keptChanged(path);
          yield true;
        }
        case STOPPED -> false;
      };
    } catch (UpcallException.Corrupt | UpcallException.Device damaged) {
      run.problem(path, damaged.failure());
      return true;
    }
  }
}
