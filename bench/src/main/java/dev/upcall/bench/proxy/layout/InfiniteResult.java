package dev.upcall.bench.proxy.layout;

import dev.upcall.bench.proxy.disk.DiskCounts;
import dev.upcall.io.trace.BlockProfile;

/**
 * The result of day 2 with a cache that replaces nothing.
 *
 * @param kind the layout
 * @param hits requests that were found
 * @param misses requests that were not
 * @param counts what went to the disks
 * @param profile the same, as the measures of block traffic have it
 * @param shape what has become of the disk in the end
 */
public record InfiniteResult(
    LayoutKind kind, long hits, long misses, DiskCounts counts, BlockProfile profile, Shape shape) {

  /**
   * The spread of files over directories.
   *
   * @param largeDirectories how many have more than 1,000 files; 0 where there is no choice by
   *     server
   * @param largestDirectory how many files the largest has
   * @param mappedBytes how long the mapped file is
   * @param earlyHits the share of hits of day 2 in the mapped file that fall into the first quarter
   *     of its pages
   */
  public record Shape(
      int largeDirectories, int largestDirectory, long mappedBytes, double earlyHits) {}
}
