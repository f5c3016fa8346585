package dev.upcall.bench.edits;

import static java.util.stream.Collectors.joining;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.entrant.TurnsEntrants;
import dev.upcall.bench.entrant.TurnsEntrants.Side;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.host.MissingPeerException;
import dev.upcall.bench.peer.DurableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
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
  private static final int JOINED = 1_000;
  private static final double JOIN_AIM_MILLIS = 1_000;

  /** Rewriting half of 10 GiB takes up to so long, on a device of 40 MB/s both ways. */
  private static final long HALF_SECONDS = 300;

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
   * @param bytes of an edit; 0 when it brings none
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
    questions.add(
        tails(
            "4 KiB into 100 MiB, durable",
            hundred,
            new Side("plain file: rewrite the tail, fsync", Role.PEER, "side=tail"),
            100));
    questions.add(
        tails(
            "4 KiB into 10 GiB, durable",
            tens,
            new Side("rewrite the second half, fsync", Role.PEER, "side=half", HALF_SECONDS),
            5000));
    questions.add(blocks(hundred));
    questions.add(peers(ten));
    questions.add(scan(hundred));
    questions.add(head(tens));
    questions.add(join(lab.settings().either(64 * KIB, 10 * MIB)));
    Map<String, MissingPeerException> missing = missing(lab.scratch());
    List<Comparison> comparisons = new ArrayList<>();
    for (Question question : questions) {
      comparisons.add(comparison(lab, question, comparisons.size(), missing));
    }
    return comparisons;
  }

  /** Why orders of peers cannot be given here. */
  private static Map<String, MissingPeerException> missing(Path scratch) throws IOException {
    Map<String, MissingPeerException> missing = new HashMap<>();
    if (!InsertRange.isKnownIn(scratch)) {
      missing.put(
          "side=range",
          new MissingPeerException(
              "the file system of " + scratch + " cannot; try --dir on ext4 or XFS"));
    }
    try {
      DurableStore.require("postgres", scratch);
    } catch (MissingPeerException why) {
      missing.put("side=postgres", why);
    }
    return missing;
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

  private static Question tails(String title, long size, Side peer, double aim) {
    return new Question(
        title,
        4 * KIB,
        size,
        List.of(new Side(INSERT, Role.OURS, "side=large"), peer),
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

  private static Question peers(long size) {
    Figure figure = Figure.perSecond("inserts");
    List<Side> sides = new ArrayList<>(List.of(new Side(INSERT, Role.OURS, "side=large")));
    for (Side peer :
        List.of(
            new Side("SQLite, WAL, FULL: substr", Role.PEER, "side=sqlite"),
            new Side("RocksDB, blobs, sync", Role.PEER, "side=rocksdb-blobs"),
            new Side("H2 MVStore, commit and sync", Role.PEER, "side=mvstore"),
            new Side("PostgreSQL, large objects", Role.PEER, "side=postgres"),
            new Side("Berkeley DB JE, partial put", Role.PEER, "side=je"),
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

  private static Question join(long size) {
    Figure figure = Figure.millis("joins");
    return new Question(
        "join of 1,000 files of 10 MiB into one, durable",
        0,
        size,
        List.of(new Side("upcall, one batch of ranges", Role.OURS, "side=join")),
        figure.aimingAt(Aim.number(figure.kind(), JOIN_AIM_MILLIS)));
  }

  private Comparison comparison(
      Lab lab, Question question, int number, Map<String, MissingPeerException> missing) {
    int bytes = (int) lab.settings().either(Math.min(question.bytes(), 4 * KIB), question.bytes());
    List<Side> here =
        question.sides().stream().filter(side -> !missing.containsKey(side.order())).toList();
    Map<String, ?> options =
        Map.of(
            "directory", lab.scratch().resolve("edits-" + number),
            "cap", lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 0),
            "sides", here.stream().map(side -> side.order().substring(5)).collect(joining(",")),
            "bytes", bytes,
            "size", question.size(),
            "edits", lab.settings().either(100, MANY_EDITS),
            "files", lab.settings().either(20, JOINED));
    Iterator<Entrant> running = TurnsEntrants.of("edits", options, here).iterator();
    List<Entrant> entrants = new ArrayList<>();
    for (Side side : question.sides()) {
      MissingPeerException why = missing.get(side.order());
      entrants.add(why == null ? running.next() : missing(side, why));
    }
    return new Comparison(name(), question.title(), question.figure(), entrants)
        .writing(question.figure().unit().equals(SCANNED) ? 0 : bytes);
  }

  private static Entrant missing(Side side, MissingPeerException why) {
    return new Entrant(
        side.name(),
        side.role(),
        _ -> {
          throw why;
        });
  }
}
