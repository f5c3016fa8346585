package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.TurnsEntrants;
import dev.upcall.bench.entrant.TurnsEntrants.Side;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Paths of a store against those of the default file system, by the same code: a tree of sources,
 * small files, one channel, also an asynchronous one, and Lucene.
 */
public final class ProviderExperiment implements Experiment {
  private static final int SOURCES = 20_000;
  private static final int SMALL_FILES = 1000;
  private static final int BLOCKS = 16_384;
  private static final int DOCUMENTS_OF_A_COMMIT = 1000;
  private static final int DOCUMENTS = 100_000;

  @Override
  public String name() {
    return "provider";
  }

  /** What is compared. */
  private record Question(String work, String title, String unit, int size, double aim) {}

  @Override
  public List<Comparison> prepare(Lab lab) {
    int sources = (int) lab.settings().either(200, SOURCES);
    int blocks = (int) lab.settings().either(256, BLOCKS);
    int documents = (int) lab.settings().either(500, DOCUMENTS);
    List<Comparison> comparisons = new ArrayList<>();
    Question copy =
        new Question(
            "copy", "a tree of sources copied in, an older one deleted", "files", sources, 1.0);
    comparisons.add(comparison(lab, copy, ""));
    comparisons.add(
        comparison(
            lab,
            new Question("copy", "the same, each file forced", "files", sources, 3.0),
            "-forced",
            new Side("upcall, durability=sync", Role.OURS, "side=store-sync")));
    for (Question question :
        List.of(
            new Question(
                "copy-in",
                "Files.copy of a tree of the host's, one by one",
                "files",
                sources,
                0.67),
            new Question(
                "copy-in-attributes", "the same with COPY_ATTRIBUTES", "files", sources, 0.67),
            new Question("walk", "a walk over that tree", "trees", sources, 1.0),
            new Question("read", "all files of that tree read", "files", sources, 1.0),
            new Question(
                "read-all-bytes", "Files.readAllBytes of 4 KiB, warm", "files", SMALL_FILES, 2.0),
            new Question(
                "random-read", "random 4 KiB reads of one channel, warm", "reads", blocks, 0.8),
            new Question(
                "outstanding-read",
                "random 4 KiB reads of one asynchronous channel, 64 outstanding, warm",
                "reads",
                blocks,
                0.8),
            new Question(
                "random-write", "random 4 KiB writes of one channel", "writes", blocks, 0.8),
            new Question("append", "4 KiB appends of one channel", "appends", blocks, 0.8),
            new Question("append-dsync", "the same with DSYNC", "appends", blocks, 1.0),
            new Question(
                "index",
                "Lucene: %d documents and a commit".formatted(DOCUMENTS_OF_A_COMMIT),
                "commits",
                Math.min(documents, DOCUMENTS_OF_A_COMMIT),
                1.0),
            new Question("search", "Lucene: a word looked up", "searches", documents, 0.8))) {
      comparisons.add(comparison(lab, question, ""));
    }
    return comparisons;
  }

  private Comparison comparison(Lab lab, Question question, String suffix, Side... more) {
    String files = question.work() + suffix;
    List<Side> sides = new ArrayList<>();
    sides.add(new Side("upcall, java.nio.file", Role.OURS, "side=store" + suffix));
    sides.add(new Side("default file system", Role.PEER, "side=host" + suffix));
    sides.addAll(List.of(more));
    Map<String, ?> options =
        Map.of(
            "volume", lab.scratch().resolve(files + ".upcall"),
            "directory", lab.scratch().resolve(files),
            "cap", Inputs.capBytes(lab),
            "work", question.work(),
            "size", question.size());
    return new Comparison(
        name(),
        question.title(),
        Figure.perSecond(question.unit())
            .aimingAt(Aim.ratio(Figure.Kind.PER_SECOND, question.aim()).inEachRound()),
        TurnsEntrants.of("provider", options, sides));
  }
}
