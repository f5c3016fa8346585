package dev.upcall.sim.drive;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A second reading of what {@link DriveConfig#fast15k} says about random reads of one block,
 * without events, in milliseconds and fractions of a revolution.
 */
final class PlainDrive {
  private static final int ZONES = 13;

  private final double blocks;
  private double now;
  private long head;

  PlainDrive(long blocks) {
    this.blocks = blocks;
  }

  /** The mean time from one completion to the next while so many reads are always there. */
  double meanMillis(int depth, boolean shortest, int reads, SplittableRandom random) {
    List<Long> queue = new ArrayList<>();
    double begun = now;
    for (int served = 0; served < reads; served++) {
      while (queue.size() < depth) {
        queue.add(random.nextLong((long) blocks));
      }
      int best = 0;
      for (int i = 1; shortest && i < queue.size(); i++) {
        best = access(queue.get(i)) < access(queue.get(best)) ? i : best;
      }
      long block = queue.remove(best);
      now += access(block) + 4.0 / trackBlocks(block);
      head = block + 1;
    }
    return (now - begun) / reads;
  }

  private double access(long block) {
    double seek = 0.3 + 7.2 * Math.sqrt(Math.abs(block - head) / blocks);
    double under = (now + seek) / 4.0;
    double wait = angle(block) - (under - Math.floor(under));
    return seek + 4.0 * (wait < 0 ? wait + 1 : wait);
  }

  private double angle(long block) {
    long zoneBlocks = (long) blocks / ZONES;
    long first = 0;
    for (int zone = 0; zone < ZONES; zone++) {
      int track = 73 - 2 * zone;
      long next = first + zoneBlocks / track * track;
      if (block < next || zone == ZONES - 1) {
        return (double) ((block - first) % track) / track;
      }
      first = next;
    }
    throw new AssertionError(block);
  }

  private int trackBlocks(long block) {
    return 73 - 2 * (int) Math.min(ZONES - 1, block * ZONES / (long) blocks);
  }
}
