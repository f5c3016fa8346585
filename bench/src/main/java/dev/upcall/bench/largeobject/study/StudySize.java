package dev.upcall.bench.largeobject.study;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** How much is done. */
public enum StudySize {
  /** Seconds, to see that everything works: too few updates to decide what they lead to. */
  QUICK(1, 400, 40, 8),
  /** What the paper did, with three seeds. */
  STANDARD(3, StudySize.PAPER_OPERATIONS, 1_000, 2_000),
  /**
   * The same with nine seeds, and on the store as many operations as the paper made, on objects of
   * 10 GB, too.
   */
  FULL(9, StudySize.PAPER_OPERATIONS, 1_000, StudySize.PAPER_OPERATIONS);

  /** Operations of the paper's random mix. */
  static final int PAPER_OPERATIONS = 10_000;

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final int FIRST_MARK = 200;
  private static final int MARK_EVERY = 2_000;

  private final int seeds;
  private final int operations;
  private final int largeOperations;
  private final int storedOperations;

  StudySize(int seeds, int operations, int largeOperations, int storedOperations) {
    this.seeds = seeds;
    this.operations = operations;
    this.largeOperations = largeOperations;
    this.storedOperations = storedOperations;
  }

  /** Seeds of the streams that are averaged. */
  List<Long> seeds() {
    return LongStream.rangeClosed(1, seeds).boxed().toList();
  }

  /** Operations of a mix. */
  int operations() {
    return operations;
  }

  /** Operations on objects whose sizes are compared. */
  int largeOperations() {
    return largeOperations;
  }

  /** Operations of a mix on the store. */
  int storedOperations() {
    return storedOperations;
  }

  /** Bytes of objects of the store, ascending. */
  List<Long> storedBytes() {
    return switch (this) {
      case QUICK -> List.of(StudySize.MIB);
      case STANDARD -> List.of(10 * StudySize.MIB, 100 * StudySize.MIB);
      case FULL -> List.of(10 * StudySize.MIB, 100 * StudySize.MIB, 10 * StudySize.GIB);
    };
  }

  /** Bytes of those of them of which something is claimed. */
  long claimedBytes() {
    return this == QUICK ? StudySize.MIB : 100 * StudySize.MIB;
  }

  /** After how many operations figures are taken: soon, then again and again, and at the end. */
  static List<Integer> marks(int operations) {
    return IntStream.concat(
            IntStream.of(FIRST_MARK, operations),
            IntStream.rangeClosed(1, operations / MARK_EVERY).map(i -> i * MARK_EVERY))
        .filter(mark -> mark <= operations)
        .distinct()
        .sorted()
        .boxed()
        .toList();
  }

  /** As it is written on the command line and on the page. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
