package dev.upcall.trees;

import java.util.List;
import java.util.Objects;

/**
 * What was done to a tree.
 *
 * @param files files carried, new or changed
 * @param links symbolic links made or changed
 * @param directories directories made
 * @param bytes content bytes carried; none where blocks are shared
 * @param unchanged entries that were up to date
 * @param removed entries removed because they are gone from the source
 * @param keptChanged paths that somebody changed in the store while their source stayed as it was:
 *     left alone; the first {@link #MAX_LISTED}
 * @param excluded paths of the host that were left out since they are the volume, or were named so;
 *     the first {@link #MAX_LISTED}
 * @param problems entries that could not be carried; the first {@link #MAX_LISTED}
 * @param problemCount how many those are in all
 * @param notKept what a carried file has lost on the way
 * @param end why nothing more was done
 */
public record TreeSummary(
    long files,
    long links,
    long directories,
    long bytes,
    long unchanged,
    long removed,
    List<String> keptChanged,
    List<String> excluded,
    List<TreeProblem> problems,
    long problemCount,
    NotKept notKept,
    End end) {
  /** How many paths are listed. */
  public static final int MAX_LISTED = 10_000;

  /** Why a task did no more than it did. */
  public enum End {
    /** All was done, but for the problems. */
    COMPLETE,
    /** It was cancelled; an import goes on where it was by being run again. */
    CANCELLED,
    /** {@link TreeWatch#onProblem} said so. */
    PROBLEM,
    /** It is under way, or has failed. */
    UNFINISHED
  }

  /**
   * What carried files have lost on the way: not their content.
   *
   * @param hardLinks names of files that have other names, too, each now a file of its own
   * @param attributes attributes that the other side does not take
   */
  public record NotKept(long hardLinks, long attributes) {}

  /** Copies the lists. */
  public TreeSummary {
    keptChanged = List.copyOf(Objects.requireNonNull(keptChanged, "keptChanged"));
    excluded = List.copyOf(Objects.requireNonNull(excluded, "excluded"));
    problems = List.copyOf(Objects.requireNonNull(problems, "problems"));
    Objects.requireNonNull(notKept, "notKept");
    Objects.requireNonNull(end, "end");
  }

  /** Whether everything was carried: to the end, and without a problem. */
  public boolean isWhole() {
    return end == End.COMPLETE && problemCount == 0;
  }
}
