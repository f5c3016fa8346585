package dev.upcall.fileman.trees;

import dev.upcall.completion.Failure;
import dev.upcall.fileman.trees.host.StoppedException;
import dev.upcall.fileman.trees.rewrite.RewriteRun;
import dev.upcall.trees.TreeProblem;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One run over a tree: what came of it until now, and whether it is to go on. Any thread. */
final class TransferRun implements RewriteRun {
  /** What one entry of a transfer may turn out to be. */
  enum Outcome {
    /** A file was carried. */
    FILE,
    /** A symbolic link was made. */
    LINK,
    /** A directory was made. */
    DIRECTORY,
    /** Only metadata was brought up to date, or nothing. */
    UNCHANGED,
    /** An entry was removed. */
    REMOVED,
    /** Not counted: the second step of an entry that was counted. */
    NOTHING
  }

  private final TreeWatch watch;
  private final long[] counts = new long[Outcome.values().length];
  private final List<String> keptChanged = new ArrayList<>();
  private final List<String> excluded = new ArrayList<>();
  private final List<TreeProblem> problems = new ArrayList<>();

  /** Whoever watches is asked one thing at a time; never held together with this one's lock. */
  private final ReentrantLock asking = new ReentrantLock();

  private long bytes;
  private long problemCount;
  private long hardLinks;
  private long attributes;
  private volatile boolean cancelled;
  private volatile boolean endedByProblem;

  TransferRun(TreeWatch watch) {
    this.watch = watch;
  }

  @Override
  public TreeProgress progress() {
    return watch.progress();
  }

  /** Has it end early. */
  void cancel() {
    cancelled = true;
  }

  @Override
  public boolean isStopped() {
    return cancelled || endedByProblem || watch.cancelled().getAsBoolean();
  }

  /** Leaves the work where somebody wants the end. */
  void check() {
    if (isStopped()) {
      throw new StoppedException();
    }
  }

  synchronized void count(Outcome outcome) {
    counts[outcome.ordinal()]++;
  }

  synchronized void bytes(long count) {
    bytes += count;
  }

  @Override
  public synchronized void rewritten(long count) {
    count(Outcome.FILE);
    bytes(count);
  }

  @Override
  public synchronized void keptChanged(String path) {
    count(Outcome.UNCHANGED);
    if (keptChanged.size() < TreeSummary.MAX_LISTED) {
      keptChanged.add(path);
    }
  }

  /** Something that is left out, as was asked, or since it is the store itself. */
  synchronized void excluded(String path) {
    if (excluded.size() < TreeSummary.MAX_LISTED) {
      excluded.add(path);
    }
  }

  /** A file that has other names, too, and becomes one of its own. */
  synchronized void hardLink() {
    hardLinks++;
  }

  /** Attributes of one file that stay behind. */
  synchronized void attributesNotKept(long count) {
    attributes += count;
  }

  /** Tells of an entry that is left out, and asks whether to go on. */
  void problem(String path, String reason) {
    problem(new TreeProblem(path, reason));
  }

  @Override
  public void problem(String path, Failure failure) {
    problem(path, failure.message());
  }

  /**
   * Tells of an entry for which reading or writing has failed.
   *
   * @param words what to tell of the failure
   */
  void problem(String path, String words, @Nullable Throwable failure) {
    problem(
        failure instanceof UnreadableRanges.DamagedFileException damaged
            ? new TreeProblem(path, words, damaged.ranges())
            : new TreeProblem(path, words));
  }

  private void problem(TreeProblem problem) {
    list(problem);
    asking.lock();
    try {
      if (watch.onProblem().apply(problem) == TreeProblem.Verdict.STOP) {
        endedByProblem = true;
      }
    } finally {
      asking.unlock();
    }
  }

  private synchronized void list(TreeProblem problem) {
    problemCount++;
    if (problems.size() < TreeSummary.MAX_LISTED) {
      problems.add(problem);
    }
  }

  /**
   * What was done.
   *
   * @param early whether something was left undone because somebody wanted the end
   */
  TreeSummary summary(boolean early) {
    if (endedByProblem) {
      return summary(TreeSummary.End.PROBLEM);
    }
    return summary(early ? TreeSummary.End.CANCELLED : TreeSummary.End.COMPLETE);
  }

  synchronized TreeSummary summary(TreeSummary.End end) {
    return new TreeSummary(
        counts[Outcome.FILE.ordinal()],
        counts[Outcome.LINK.ordinal()],
        counts[Outcome.DIRECTORY.ordinal()],
        bytes,
        counts[Outcome.UNCHANGED.ordinal()],
        counts[Outcome.REMOVED.ordinal()],
        List.copyOf(keptChanged),
        List.copyOf(excluded),
        List.copyOf(problems),
        problemCount,
        new TreeSummary.NotKept(hardLinks, attributes),
        end);
  }
}
