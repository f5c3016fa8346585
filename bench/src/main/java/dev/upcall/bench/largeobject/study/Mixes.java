package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Pace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Runs of the mix, each made when somebody first asks for it; means over all seeds. */
final class Mixes {
  /** Mean bytes of operations that the paper compares. */
  static final List<Integer> MEANS = List.of(100, 10_240, 102_400);

  /** Bytes of the paper's object. */
  static final long OBJECT_BYTES = 10L << 20;

  /** What a thousand operations were seen to take, on average over all structures and means. */
  private static final double SECONDS_OF_THOUSAND = 0.01;

  private final StudySize size;
  private final Pace pace;
  private final Map<Key, List<Mark>> made = new LinkedHashMap<>();

  private record Key(Structure structure, Mix mix) {}

  Mixes(StudySize size, Pace pace) {
    this.size = size;
    this.pace = pace;
  }

  /** What so many runs of all seeds are thought to take. */
  static double seconds(StudySize size, int runs, int operations) {
    return runs * size.seeds().size() * operations * SECONDS_OF_THOUSAND / 1e3;
  }

  /** How a mean is called: 100 B, 10 KB. */
  static String words(int meanBytes) {
    return meanBytes < 1024 ? meanBytes + " B" : meanBytes / 1024 + " KB";
  }

  /** Of figures to which so many operations lead: too few decide nothing. */
  static Judgement judgement(int operations) {
    return new Judgement(
        operations >= StudySize.PAPER_OPERATIONS
            ? ""
            : "the paper made %,d operations, this run %,d"
                .formatted(StudySize.PAPER_OPERATIONS, operations));
  }

  /** Of the paper's object. */
  Judgement judgement() {
    return judgement(size.operations());
  }

  /** How often objects are updated and read. */
  int operations() {
    return size.operations();
  }

  /** All marks of the paper's object. */
  List<Mark> marks(Structure structure, int meanBytes) {
    return marks(structure, new Mix(OBJECT_BYTES, meanBytes, size.operations()));
  }

  /** The last mark of the paper's object. */
  Mark last(Structure structure, int meanBytes) {
    return marks(structure, meanBytes).getLast();
  }

  /** A figure of the last marks of several, for a sentence. */
  String figures(List<Structure> structures, int meanBytes, ToDoubleFunction<Mark> figure) {
    return structures.stream()
        .map(
            structure ->
                "%s (%s)"
                    .formatted(
                        Judgement.show(figure.applyAsDouble(last(structure, meanBytes))),
                        structure.parameter()))
        .collect(Collectors.joining(", "));
  }

  /** All marks of an object. */
  List<Mark> marks(Structure structure, Mix mix) {
    Key key = new Key(structure, mix);
    List<Mark> marks = made.get(key);
    if (marks == null) {
      marks = run(structure, mix);
      made.put(key, marks);
    }
    return marks;
  }

  private List<Mark> run(Structure structure, Mix mix) {
    List<List<Mark>> runs = new ArrayList<>();
    for (long seed : size.seeds()) {
      pace.step(
          seconds(size, 1, mix.operations()) / size.seeds().size(),
          "%s, %s, seed %d".formatted(structure.label(), words(mix.meanBytes()), seed));
      runs.add(mix.run(structure, seed));
    }
    return IntStream.range(0, runs.getFirst().size())
        .mapToObj(i -> Mark.mean(runs.stream().map(run -> run.get(i)).toList()))
        .toList();
  }
}
