package dev.upcall.cli.transfer;

import java.util.List;

/**
 * What a transfer did.
 *
 * @param files files carried, new or changed
 * @param links symbolic links made or changed
 * @param directories directories made
 * @param bytes content bytes carried
 * @param unchanged entries that were up to date
 * @param removed entries removed because they are gone from the source
 * @param keptChanged paths that somebody changed in the store while their source stayed as it was:
 *     left alone; the first {@link #MAX_LISTED}
 * @param problems entries that could not be carried; the first {@link #MAX_LISTED}
 * @param problemCount how many those are in all
 * @param notKept what a carried file has lost on the way
 * @param stopped whether the user ended it early; going on is running it again
 */
public record TransferSummary(
    long files,
    long links,
    long directories,
    long bytes,
    long unchanged,
    long removed,
    List<String> keptChanged,
    List<Problem> problems,
    long problemCount,
    NotKept notKept,
    boolean stopped) {
  /**
   * What carried files have lost on the way: not their content.
   *
   * @param hardLinks names of files that have other names, too, each now a file of its own
   * @param attributes attributes that the other side does not take
   */
  public record NotKept(long hardLinks, long attributes) {}

  /** How many paths are listed. */
  public static final int MAX_LISTED = 10_000;
}
