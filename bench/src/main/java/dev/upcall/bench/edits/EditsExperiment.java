package dev.upcall.bench.edits;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.experiment.TurnsEntrants;
import dev.upcall.bench.experiment.TurnsEntrants.Side;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.MissingPeerException;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Durable edits in the middle of files: by size of the file, beside overwriting, and against
 * rewriting the tail, moving blocks, and other stores; and what edits leave to who reads.
 */
public final class EditsExperiment implements Experiment {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final long GIB = 1L << 30;
  private static final int MANY_EDITS = 10_000;

  /** The unit of who only reads. */
  private static final String SCANNED = "MiB";

  private static final String INSERT = "upcall, insert";
  private static final String EDITED = "upcall, edited";
  private static final String FRESH = "upcall, fresh";

  @Override
  public String name() {
    return "edits";
  }

  /**
   * What is compared.
   *
   * @param bytes of an edit
   * @param size of the file that is edited
   */
  private record Question(String title, int bytes, long size, List<Side> sides, Figure figure) {}

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    List<Question> questions = new ArrayList<>();
    long tens = lab.settings().either(2 * MIB, 10 * GIB);
    long hundred = lab.settings().either(MIB, 100 * MIB);
    long ten = lab.settings().either(MIB, 10 * MIB);
    for (int bytes : new int[] {100, 4 * KIB}) {
      questions.add(bySize(bytes, tens));
    }
    questions.add(byThreshold(hundred));
    questions.add(many(lab.settings().either(64 * KIB, 100 * MIB)));
    questions.add(tails("100 MiB", hundred, 100));
    questions.add(tails("10 GiB", tens, 5000));
    Question blocks = blocks(hundred);
    questions.add(blocks);
    questions.add(peers(ten));
    questions.add(scan(hundred));
    questions.add(head(tens));
    List<Comparison> comparisons = new ArrayList<>();
    for (Question question : questions) {
      Comparison comparison = comparison(lab, question, comparisons.size());
      boolean known = !question.equals(blocks) || InsertRange.isKnownIn(lab.scratch());
      comparisons.add(known ? comparison : withoutRanges(comparison));
    }
    return comparisons;
  }

  private static Question bySize(int bytes, long size) {
    Figure figure = Figure.perSecond("changes");
    Aim least = Aim.ratio(figure.kind(), 0.85).of(INSERT + " into 10 GiB");
    return new Question(
        "%d bytes, durable, 1 outstanding".formatted(bytes),
        bytes,
        size,
        List.of(
            new Side(INSERT + " into 10 GiB", Role.OURS, "side=large"),
            new Side(INSERT + " into 1 MiB", Role.OURS, "side=small"),
            new Side("upcall, overwrite", Role.OURS, "side=overwrite")),
        figure
            .aimingAt(least.beside(INSERT + " into 1 MiB"))
            .aimingAt(least.beside("upcall, overwrite")));
  }

  private static Question byThreshold(long size) {
    List<Side> sides = new ArrayList<>();
    for (int threshold : new int[] {1, 4, 16, 64}) {
      sides.add(new Side("upcall, EOS, T = " + threshold, Role.OURS, "side=eos-" + threshold));
    }
    return new Question(
        "100 bytes into 100 MiB, durable, by the file's policy",
        100,
        size,
        sides,
        Figure.perSecond("inserts"));
  }

  private static Question many(long size) {
    Figure figure = Figure.perSecond("inserts");
    return new Question(
        "100 bytes, durable, 64 files of 100 MiB, one outstanding in each",
        100,
        size,
        List.of(new Side(INSERT, Role.OURS, "side=files")),
        figure.aimingAt(Aim.number(figure.kind(), 20_000)));
  }

  private static Question tails(String size, long bytes, double aim) {
    return new Question(
        "4 KiB into %s, durable".formatted(size),
        4 * KIB,
        bytes,
        List.of(
            new Side(INSERT, Role.OURS, "side=large"),
            new Side("plain file: rewrite the tail, fsync", Role.PEER, "side=tail")),
        Figure.perSecond("inserts").aimingAt(aim));
  }

  private static Question blocks(long size) {
    return new Question(
        "4 KiB into 100 MiB where a block begins, durable",
        4 * KIB,
        size,
        List.of(
            new Side(INSERT, Role.OURS, "side=blocks"),
            new Side("FALLOC_FL_INSERT_RANGE, write, fsync", Role.PEER, "side=range")),
        Figure.perSecond("inserts").aimingAt(2));
  }

  private static Comparison withoutRanges(Comparison all) {
    List<Entrant> entrants = new ArrayList<>(all.entrants());
    Entrant peer = entrants.removeLast();
    entrants.add(
        new Entrant(
            peer.name(),
            peer.role(),
            lab -> {
              throw new MissingPeerException(
                  "the file system of " + lab.scratch() + " cannot; try --dir on ext4 or XFS");
            }));
    return new Comparison(all.experiment(), all.title(), all.figure(), entrants);
  }

  private static Question peers(long size) {
    Figure figure = Figure.perSecond("inserts");
    List<Side> sides = new ArrayList<>(List.of(new Side(INSERT, Role.OURS, "side=large")));
    for (Side peer :
        List.of(
            new Side("SQLite, WAL, FULL: substr", Role.PEER, "side=sqlite"),
            new Side("RocksDB, blobs, sync", Role.PEER, "side=rocksdb-blobs"),
            new Side("H2 MVStore, commit and sync", Role.PEER, "side=mvstore"),
            new Side("TuplDB, SYNC", Role.PEER, "side=tupl"))) {
      sides.add(peer);
      figure = figure.aimingAt(Aim.ratio(figure.kind(), 30).beside(peer.name()));
    }
    return new Question("4 KiB into values of 10 MiB, durable", 4 * KIB, size, sides, figure);
  }

  private static Question scan(long size) {
    Figure figure = Figure.perSecond(SCANNED);
    return new Question(
        "scan of 100 MiB after 10,000 edits of 10 KB that have their places",
        10 * KIB,
        size,
        List.of(
            new Side(EDITED, Role.OURS, "side=edited"),
            new Side(EDITED + ", T = 16", Role.OURS, "side=edited-16"),
            new Side(EDITED + ", T = 64", Role.OURS, "side=edited-64"),
            new Side("upcall, rewritten", Role.OURS, "side=rewritten"),
            new Side(FRESH, Role.OURS, "side=fresh")),
        figure
            .aimingAt(Aim.ratio(figure.kind(), 0.7).of(EDITED + ", T = 16").beside(FRESH))
            .aimingAt(Aim.ratio(figure.kind(), 0.9).of(EDITED + ", T = 64").beside(FRESH)));
  }

  private static Question head(long size) {
    Figure figure = Figure.perSecond("changes");
    String cut = "upcall, head of 10 GiB cut off and 1 MiB appended";
    return new Question(
        "1 MiB off the head and behind the end, durable",
        MIB,
        size,
        List.of(
            new Side(cut, Role.OURS, "side=head"),
            new Side("upcall, append", Role.OURS, "side=append")),
        figure.aimingAt(Aim.ratio(figure.kind(), 0.5).of(cut).beside("upcall, append")));
  }

  private Comparison comparison(Lab lab, Question question, int number) {
    int bytes = (int) lab.settings().either(Math.min(question.bytes(), 4 * KIB), question.bytes());
    List<String> sides = question.sides().stream().map(side -> side.order().substring(5)).toList();
    Map<String, ?> options =
        Map.of(
            "directory", lab.scratch().resolve("edits-" + number),
            "cap", lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 0),
            "sides", String.join(",", sides),
            "bytes", bytes,
            "size", question.size(),
            "edits", lab.settings().either(100, MANY_EDITS));
    return new Comparison(
            name(),
            question.title(),
            question.figure(),
            TurnsEntrants.of("edits", options, question.sides()))
        .writing(question.figure().unit().equals(SCANNED) ? 0 : bytes);
  }
}
