package dev.upcall.cli.transfer;

import java.util.ArrayList;
import java.util.List;

/** A summary in the making; any thread. */
final class TransferCounts {
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

  private final long[] counts = new long[Outcome.values().length];
  private final List<String> keptChanged = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private long bytes;
  private long problemCount;
  private long hardLinks;
  private long attributes;

  synchronized void count(Outcome outcome) {
    counts[outcome.ordinal()]++;
  }

  synchronized void bytes(long count) {
    bytes += count;
  }

  synchronized void keptChanged(String path) {
    count(Outcome.UNCHANGED);
    if (keptChanged.size() < TransferSummary.MAX_LISTED) {
      keptChanged.add(path);
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

  synchronized void problem(String path, String reason) {
    problemCount++;
    if (problems.size() < TransferSummary.MAX_LISTED) {
      problems.add(new Problem(path, reason));
    }
  }

  synchronized TransferSummary summary(boolean stopped) {
    return new TransferSummary(
        counts[Outcome.FILE.ordinal()],
        counts[Outcome.LINK.ordinal()],
        counts[Outcome.DIRECTORY.ordinal()],
        bytes,
        counts[Outcome.UNCHANGED.ordinal()],
        counts[Outcome.REMOVED.ordinal()],
        List.copyOf(keptChanged),
        List.copyOf(problems),
        problemCount,
        new TransferSummary.NotKept(hardLinks, attributes),
        stopped);
  }
}
