package dev.upcall.bench.proxy.trace;

import java.util.Arrays;

/**
 * How many different servers were asked since the last request for the same one: the distances in
 * an LRU stack, counted by a Fenwick tree over the moments of last requests.
 */
public final class StackDistances {
  private final long[] counts;
  private final long requests;

  private StackDistances(long[] counts, long requests) {
    this.counts = counts;
    this.requests = requests;
  }

  /**
   * Of some requests.
   *
   * @param hosts the server that each request asks
   * @param hostCount above each of them
   */
  public static StackDistances of(int[] hosts, int hostCount) {
    long[] counts = new long[hostCount];
    int[] tree = new int[hosts.length + 1];
    int[] last = new int[hostCount];
    Arrays.fill(last, -1);
    for (int now = 0; now < hosts.length; now++) {
      int before = last[hosts[now]];
      if (before >= 0) {
        counts[sum(tree, now) - sum(tree, before + 1)]++;
        add(tree, before, -1);
      }
      add(tree, now, 1);
      last[hosts[now]] = now;
    }
    return new StackDistances(counts, hosts.length);
  }

  private static void add(int[] tree, int at, int amount) {
    for (int i = at + 1; i < tree.length; i += i & -i) {
      tree[i] += amount;
    }
  }

  /** Over moments [0, end). */
  private static int sum(int[] tree, int end) {
    int sum = 0;
    for (int i = end; i > 0; i -= i & -i) {
      sum += tree[i];
    }
    return sum;
  }

  /** The share of requests for one of so many servers that were asked most recently. */
  public double shareWithin(int mostRecent) {
    long within = 0;
    for (int distance = 0; distance < Math.min(mostRecent, counts.length); distance++) {
      within += counts[distance];
    }
    return (double) within / requests;
  }
}
