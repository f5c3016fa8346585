package dev.upcall.buffer.replacement;

import java.util.ArrayDeque;
import java.util.SplittableRandom;

/** Replays a trace of block addresses against a policy alone, one block a frame. */
final class Replay {
  private Replay() {}

  /** The part of the references that found their block in memory. */
  static double hitRatio(ReplacementPolicy policy, int capacityBlocks, long[] trace) {
    LongIntMap frameOf = new LongIntMap(capacityBlocks);
    long[] blockIn = new long[capacityBlocks];
    ArrayDeque<Integer> free = new ArrayDeque<>();
    for (int frame = 0; frame < capacityBlocks; frame++) {
      free.add(frame);
    }
    long hits = 0;
    for (long block : trace) {
      int frame = frameOf.get(block);
      if (frame != LongIntMap.ABSENT) {
        hits++;
        policy.touch(frame);
        continue;
      }
      if (free.isEmpty()) {
        int victim = policy.victim(candidate -> true);
        frameOf.remove(blockIn[victim]);
        free.add(victim);
      }
      int next = free.remove();
      blockIn[next] = block;
      frameOf.put(block, next);
      policy.admit(next, block, 1);
    }
    return (double) hits / trace.length;
  }

  /** References of which a share goes to a small hot set, the others anywhere. */
  static long[] hotAndCold(long seed, int hot, int all, double hotShare, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] trace = new long[length];
    for (int i = 0; i < length; i++) {
      trace[i] = random.nextDouble() < hotShare ? random.nextInt(hot) : hot + random.nextInt(all);
    }
    return trace;
  }

  /** Zipf's law with exponent near 1: block {@code n} is asked for in proportion to 1/n. */
  static long[] zipf(long seed, int blocks, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] trace = new long[length];
    for (int i = 0; i < length; i++) {
      trace[i] = (long) Math.pow(blocks, random.nextDouble()) - 1;
    }
    return trace;
  }

  /**
   * A trace into which now and then a scan is woven: blocks that are never used again, each
   * referenced several times in a row, as a reader of small pieces does.
   */
  static long[] withScans(long[] trace, int every, int scanBlocks, int touches) {
    int scans = trace.length / every;
    long[] woven = new long[trace.length + scans * scanBlocks * touches];
    long fresh = 1_000_000;
    int to = 0;
    for (int i = 0; i < trace.length; i++) {
      woven[to++] = trace[i];
      if ((i + 1) % every == 0) {
        for (int s = 0; s < scanBlocks; s++, fresh++) {
          for (int t = 0; t < touches; t++) {
            woven[to++] = fresh;
          }
        }
      }
    }
    return java.util.Arrays.copyOf(woven, to);
  }
}
