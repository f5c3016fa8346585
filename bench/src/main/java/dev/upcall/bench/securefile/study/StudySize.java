package dev.upcall.bench.securefile.study;

import dev.upcall.bench.securefile.ObjectSet;
import java.util.List;
import java.util.Locale;

/** How much is done. */
public enum StudySize {
  /** Some 10 MB of each set, to see that everything works; decides nothing. */
  QUICK(10_000_000, 1),
  /** Half a gigabyte of each set. */
  STANDARD(500_000_000, 3),
  /** Two gigabytes of each set, and more streams. */
  FULL(2_000_000_000L, 3);

  private static final int LEAST_OBJECTS = 4;

  private final long setBytes;
  private final int repetitions;

  StudySize(long setBytes, int repetitions) {
    this.setBytes = setBytes;
    this.repetitions = repetitions;
  }

  /** Whether figures decide anything. */
  public boolean decides() {
    return this != QUICK;
  }

  /** How often the run at a set's middle number of streams is made. */
  int repetitions() {
    return repetitions;
  }

  /** The sets: the smallest size has no videos, of which one alone has ten times its bytes. */
  List<ObjectSet> sets() {
    List<ObjectSet> all = List.of(ObjectSet.values());
    return decides() ? all : all.subList(0, all.size() - 1);
  }

  /** How many objects of a set there are. */
  long count(ObjectSet set) {
    return Math.max(LEAST_OBJECTS, setBytes / set.meanBytes());
  }

  /** Streams that load and read at once, ascending. */
  List<Integer> streams(ObjectSet set) {
    if (!decides()) {
      return List.of(2);
    }
    return switch (set) {
      case EMAIL, DOCUMENT -> this == FULL ? List.of(1, 2, 4, 8, 16, 64) : List.of(1, 4, 16, 64);
      case IMAGE_LOW -> this == FULL ? List.of(1, 2, 3, 6, 12, 64) : List.of(1, 3, 12);
      case IMAGE_HIGH -> List.of(1, 2, 4, 6);
      case VIDEO -> List.of(1, 2, 4);
    };
  }

  /** Streams beside which stores are compared. */
  int peerStreams(ObjectSet set) {
    return streams(set).getLast();
  }

  /** The expected time of loading and reading a set once, warming included. */
  double runSeconds() {
    return switch (this) {
      case QUICK -> 2;
      case STANDARD -> 12;
      case FULL -> 38;
    };
  }

  /** As it is written on the command line and on the page. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
