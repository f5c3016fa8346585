package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.WalkOptions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Copies or clones a tree of a store: a directory before its entries, its time behind them. The
 * walk, what is read, and the batches are under way side by side ({@link StepLine}).
 */
final class TreeCopy {
  /** Files and links that are read at once. */
  static final int READERS = 8;

  private final UpcallReads from;
  private final Upcall to;
  private final CopyOptions options;
  private final Function<StepLine, CopySteps> how;
  private final TransferRun run;

  /** Directories whose entries are under way; the walker's. */
  private final Deque<TreeEntry> inside = new ArrayDeque<>();

  TreeCopy(
      UpcallReads from,
      Upcall to,
      CopyOptions options,
      Function<StepLine, CopySteps> how,
      TransferRun run) {
    this.from = from;
    this.to = to;
    this.options = options;
    this.how = how;
    this.run = run;
  }

  TreeSummary run() throws IOException {
    long targetId = checkApart();
    StepLine line = new StepLine(to, run, "copy", READERS);
    CopySteps files = how.apply(line);
    boolean early = line.run(steps -> walk(targetId, files, steps));
    to.flush();
    return run.summary(early);
  }

  private void walk(long targetId, CopySteps files, Consumer<ImportStep> steps) {
    Iterator<TreeEntry> walk =
        TreeWalks.readable(from, options.source(), WalkOptions.DEFAULT, run::problem);
    while (walk.hasNext()) {
      TreeEntry entry = walk.next();
      if (from == to && entry.info().id() == targetId) {
        throw intoItself();
      }
      run.progress().at(entry.path().toString());
      leaveUntil(entry.depth(), steps);
      steps.accept(step(entry, files));
      if (entry.info().isDirectory()) {
        inside.push(entry);
      }
      run.progress().entry();
    }
    leaveUntil(0, steps);
  }

  /** Refuses a tree that would grow as it is copied; the target's id, if it is there by now. */
  private long checkApart() {
    if (from != to) {
      return 0;
    }
    if (options.source().contains(options.target())) {
      throw intoItself();
    }
    FileRequest top = directory(options.target(), MetadataChange.NONE);
    FileInfo source = from.stat(options.source(), LinkPolicy.NO_FOLLOW);
    return source.isDirectory() ? to.change(top).orElseThrow().id() : 0;
  }

  private UpcallException intoItself() {
    return UpcallException.of(
        new Failure.Invalid(
            "%s cannot be copied to %s, which lies in it; name another target"
                .formatted(options.source(), options.target())));
  }

  private static FileRequest directory(StorePath path, MetadataChange metadata) {
    return new FileRequest.CreateDirectory(path, Parents.MAKE, metadata);
  }

  private ImportStep step(TreeEntry entry, CopySteps files) {
    StorePath target = target(entry);
    String path = entry.path().toString();
    return switch (entry.info().kind()) {
      case DIRECTORY ->
          ImportStep.ready(
              path,
              Outcome.DIRECTORY,
              List.of(directory(target, CopySteps.metadata(entry.info()))));
      case SYMBOLIC_LINK -> {
        ImportStep.Preparation read = () -> Prepared.of(link(entry, target));
        yield ImportStep.toRead(path, Outcome.LINK, read, read);
      }
      case FILE -> files.file(entry, target);
      case TABLE -> {
        ImportStep.Preparation refused =
            () -> {
              throw new IOException(
                  "is a table, which is not copied with a tree: copy its entries");
            };
        yield ImportStep.toRead(path, Outcome.FILE, refused, refused);
      }
    };
  }

  private List<FileRequest> link(TreeEntry entry, StorePath target) throws IOException {
    List<FileRequest> requests = new ArrayList<>();
    if (options.present() == Present.REPLACE && isThere(target)) {
      requests.add(new FileRequest.Delete(target));
    }
    requests.add(
        new FileRequest.SymbolicLink(
            target, readLink(entry.path()), CopySteps.metadata(entry.info())));
    return requests;
  }

  private String readLink(StorePath path) throws IOException {
    try {
      return from.readLink(path);
    } catch (UpcallException refused) {
      throw ByteCopies.unlessItEndsAll(refused);
    }
  }

  private boolean isThere(StorePath target) {
    try {
      return !to.stat(target, LinkPolicy.NO_FOLLOW).isDirectory();
    } catch (UpcallException.NotFound | UpcallException.NotADirectory absent) {
      return false;
    }
  }

  /** Directories whose entries are all done get the time that they had. */
  private void leaveUntil(int depth, Consumer<ImportStep> steps) {
    while (!inside.isEmpty() && inside.peek().depth() >= depth) {
      TreeEntry left = inside.pop();
      steps.accept(
          ImportStep.ready(
              left.path().toString(),
              Outcome.NOTHING,
              List.of(
                  new FileRequest.SetMetadata(
                      target(left), LinkPolicy.NO_FOLLOW, CopySteps.metadata(left.info())))));
    }
  }

  private StorePath target(TreeEntry entry) {
    List<String> names = entry.path().names();
    StorePath target = options.target();
    for (String name : names.subList(names.size() - entry.depth(), names.size())) {
      target = target.child(name);
    }
    return target;
  }
}
