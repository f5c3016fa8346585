package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.largeobject.Cost;
import dev.upcall.bench.largeobject.LargeObject;
import dev.upcall.bench.largeobject.PaperMachine;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link Operations} on an object of the paper's machine.
 *
 * @param objectBytes of the object at the beginning
 * @param meanBytes of an operation
 * @param operations how many
 */
record Mix(long objectBytes, int meanBytes, int operations) {
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

    Tally of(Operations.Kind kind) {
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
    Operations stream = new Operations(meanBytes, seed);
    List<Integer> atMarks = StudySize.marks(operations);
    List<Mark> marks = new ArrayList<>();
    Tallies tallies = new Tallies();
    for (int done = 1; done <= operations; done++) {
      Operations.Operation operation = stream.next(object.bytes());
      Cost before = machine.cost();
      perform(object, operation);
      tallies.of(operation.kind()).add(machine.cost().since(before));
      if (atMarks.contains(done)) {
        marks.add(tallies.mark(done, object.utilization()));
        tallies = new Tallies();
      }
    }
    return marks;
  }

  private static void perform(LargeObject object, Operations.Operation operation) {
    switch (operation.kind()) {
      case READ -> object.read(operation.offset(), operation.bytes());
      case INSERT -> object.splice(operation.offset(), 0, operation.bytes());
      case DELETE -> object.splice(operation.offset(), operation.bytes(), 0);
    }
  }
}
