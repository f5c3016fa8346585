package dev.upcall.fileman.trees;

import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.ImportStep.Prepared;
import dev.upcall.fileman.trees.TransferRun.Outcome;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeEntry;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.WalkOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Copies or clones a tree of a store: a directory before its entries, its time behind them, many
 * requests in one batch. One thread.
 */
final class TreeCopy {
  private final UpcallReads from;
  private final Upcall to;
  private final CopyOptions options;
  private final CopySteps steps;
  private final TransferRun run;
  private final Deque<TreeEntry> inside = new ArrayDeque<>();

  TreeCopy(UpcallReads from, Upcall to, CopyOptions options, CopySteps steps, TransferRun run) {
    this.from = from;
    this.to = to;
    this.options = options;
    this.steps = steps;
    this.run = run;
  }

  TreeSummary run() {
    long targetId = checkApart();
    ImportCommitter committer = new ImportCommitter(to, run, new StagingRoom());
    boolean early = false;
    try {
      Iterator<TreeEntry> walk = TreeWalks.iterator(from, options.source(), WalkOptions.DEFAULT);
      while (!committer.isFull() && walk.hasNext()) {
        run.check();
        TreeEntry entry = walk.next();
        if (from == to && entry.info().id() == targetId) {
          throw intoItself();
        }
        run.progress().at(entry.path().toString());
        leaveUntil(entry.depth(), committer);
        add(entry, committer);
        run.progress().entry();
      }
      leaveUntil(0, committer);
      committer.finish();
    } catch (StoppedException asked) {
      early = true;
    } finally {
      committer.abandon();
    }
    to.flush();
    return run.summary(early);
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
    return new FileRequest.CreateDirectory(path, FileRequest.Parents.MAKE, metadata);
  }

  private void add(TreeEntry entry, ImportCommitter committer) {
    StorePath target = target(entry);
    switch (entry.info().kind()) {
      case DIRECTORY -> {
        FileRequest made = directory(target, CopySteps.metadata(entry.info()));
        committer.add(ready(entry, Outcome.DIRECTORY, List.of(made)));
        inside.push(entry);
      }
      case SYMBOLIC_LINK ->
          committer.add(step(entry, Outcome.LINK, () -> Prepared.of(link(entry, target))));
      case FILE -> committer.add(step(entry, Outcome.FILE, () -> steps.file(entry, target)));
    }
  }

  private List<FileRequest> link(TreeEntry entry, StorePath target) {
    List<FileRequest> requests = new ArrayList<>();
    if (options.present() == Present.REPLACE && isThere(target)) {
      requests.add(new FileRequest.Delete(target));
    }
    requests.add(
        new FileRequest.SymbolicLink(
            target, from.readLink(entry.path()), CopySteps.metadata(entry.info())));
    return requests;
  }

  private boolean isThere(StorePath target) {
    try {
      return !to.stat(target, LinkPolicy.NO_FOLLOW).isDirectory();
    } catch (UpcallException.NotFound | UpcallException.NotADirectory absent) {
      return false;
    }
  }

  /** Directories whose entries are all done get the time that they had. */
  private void leaveUntil(int depth, ImportCommitter committer) {
    while (!inside.isEmpty() && inside.peek().depth() >= depth) {
      TreeEntry left = inside.pop();
      committer.add(
          ready(
              left,
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

  private static ImportStep ready(TreeEntry entry, Outcome outcome, List<FileRequest> requests) {
    return ImportStep.ready(entry.path().toString(), outcome, requests);
  }

  private static ImportStep step(
      TreeEntry entry, Outcome outcome, ImportStep.Preparation preparation) {
    return new ImportStep(entry.path().toString(), outcome, preparation, null);
  }
}
