package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.largeobject.Cost;
import dev.upcall.bench.largeobject.LargeObject;
import dev.upcall.bench.largeobject.PaperMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The paper's random mix: 40 per cent reads, 30 inserts, 30 deletes, anywhere in the object, half
 * to one and a half times as long as the mean. A delete takes as many bytes as the insert before it
 * has brought; updates take turns, so that the object keeps its size. The stream of a seed is the
 * same for each structure.
 *
 * @param objectBytes of the object at the beginning
 * @param meanBytes of an operation
 * @param operations how many
 */
record Mix(long objectBytes, int meanBytes, int operations) {
  private static final int READ_PERCENT = 40;

  private enum Kind {
    READ,
    INSERT,
    DELETE
  }

  /** Costs of one kind since the last mark. */
  private static final class Tally {
    private long millis;
    private long count;

    void add(Cost cost) {
      millis += cost.millis();
      count++;
    }

    double mean() {
      return (double) millis / count;
    }
  }

  /** Costs of all kinds since the last mark. */
  private record Tallies(Tally reads, Tally inserts, Tally deletes) {
    Tallies() {
      this(new Tally(), new Tally(), new Tally());
    }

    Tally of(Kind kind) {
      return switch (kind) {
        case READ -> reads;
        case INSERT -> inserts;
        case DELETE -> deletes;
      };
    }

    Mark mark(int operations, double utilization) {
      return new Mark(operations, utilization, reads.mean(), inserts.mean(), deletes.mean());
    }
  }

  /** Makes an object by appends of a size. */
  static LargeObject made(
      Structure structure, PaperMachine machine, long objectBytes, int appendBytes) {
    LargeObject object = new LargeObject(structure.policy(), machine);
    for (long left = objectBytes; left > 0; left -= appendBytes) {
      object.append(Math.min(left, appendBytes));
    }
    object.trim();
    return object;
  }

  /** What each mark of a run shows. */
  List<Mark> run(Structure structure, long seed) {
    PaperMachine machine = new PaperMachine();
    LargeObject object = made(structure, machine, objectBytes, structure.appendBytes());
    SplittableRandom random = new SplittableRandom(seed);
    List<Integer> atMarks = StudySize.marks(operations);
    List<Mark> marks = new ArrayList<>();
    Tallies tallies = new Tallies();
    Kind update = Kind.DELETE;
    long inserted = 0;
    for (int done = 1; done <= operations; done++) {
      Kind kind = Kind.READ;
      if (random.nextInt(100) >= READ_PERCENT) {
        update = update == Kind.DELETE ? Kind.INSERT : Kind.DELETE;
        kind = update;
      }
      long bytes = meanBytes / 2L + random.nextInt(meanBytes + 1);
      if (kind == Kind.DELETE) {
        bytes = inserted;
      } else if (kind == Kind.INSERT) {
        inserted = bytes;
      }
      Cost before = machine.cost();
      perform(object, kind, bytes, random);
      tallies.of(kind).add(machine.cost().since(before));
      if (atMarks.contains(done)) {
        marks.add(tallies.mark(done, object.utilization()));
        tallies = new Tallies();
      }
    }
    return marks;
  }

  private static void perform(LargeObject object, Kind kind, long bytes, SplittableRandom random) {
    switch (kind) {
      case READ -> object.read(random.nextLong(object.bytes() - bytes), bytes);
      case INSERT -> object.splice(random.nextLong(object.bytes() + 1), 0, bytes);
      case DELETE -> object.splice(random.nextLong(object.bytes() - bytes), bytes, 0);
    }
  }
}
