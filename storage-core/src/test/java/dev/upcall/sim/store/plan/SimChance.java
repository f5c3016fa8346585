package dev.upcall.sim.store.plan;

import java.util.SplittableRandom;

/**
 * Where the chance of one lifetime comes from. What was invented later draws from a source of its
 * own, so that the seeds of lifetimes that failed before still mean the same where it does not
 * strike.
 *
 * @param first what was there from the beginning
 * @param later what came later
 * @param latest what came after that
 * @param newest and after that
 * @param last and after that
 * @param scheduling what stands before the disk
 * @param threads whether there are threads for helpers
 * @param heap when the heap is full, and which allocations fail
 * @param planning which allocations of changes fail
 * @param tables whether there are tables
 * @param seal what is done with the keys of an encrypted volume
 * @param dedup whether contents come again
 * @param coding whether content is coded
 * @param edges whether handles are asked for nothing, and for what no file can have
 * @param leaves which pages of entries decay
 * @param mixed whether changes of entries look first, and change files, too
 * @param images whether tree pages that have left the heap stay in memory
 * @param loans whether new content is copied by its callers
 */
public record SimChance(
    SplittableRandom first,
    SplittableRandom later,
    SplittableRandom latest,
    SplittableRandom newest,
    SplittableRandom last,
    SplittableRandom scheduling,
    SplittableRandom threads,
    SplittableRandom heap,
    SplittableRandom planning,
    SplittableRandom tables,
    SplittableRandom seal,
    SplittableRandom dedup,
    SplittableRandom coding,
    SplittableRandom edges,
    SplittableRandom leaves,
    SplittableRandom mixed,
    SplittableRandom images,
    SplittableRandom loans) {
  public SimChance(long seed) {
    this(
        new SplittableRandom(seed),
        nth(seed, 0),
        nth(seed, 1),
        nth(seed, 2),
        nth(seed, 3),
        nth(seed, 4),
        nth(seed, 5),
        nth(seed, 6),
        nth(seed, 7),
        nth(seed, 8),
        nth(seed, 9),
        nth(seed, 10),
        nth(seed, 11),
        nth(seed, 12),
        nth(seed, 13),
        nth(seed, 14),
        nth(seed, 15),
        nth(seed, 16));
  }

  /** A source that no other draw disturbs: what is added has the next number, and seeds stay. */
  private static SplittableRandom nth(long seed, int splits) {
    SplittableRandom source = new SplittableRandom(~seed);
    for (int i = 0; i < splits; i++) {
      source = source.split();
    }
    return source;
  }

  /** The source for whether a fault strikes. */
  SplittableRandom of(SimFault fault) {
    return switch (fault) {
      case BAD_BLOCKS -> later;
      case REMOVED, CUT -> latest;
      case KILLED, HANGS -> newest;
      case NO_THREADS -> threads;
      case FULL_HEAP -> heap;
      case NO_HEAP_FOR_CHANGES -> planning;
      default -> first;
    };
  }
}
