package dev.upcall.bench.securefile.study;

import dev.upcall.bench.host.MissingPeerException;
import dev.upcall.bench.peer.DurableStore;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.securefile.ObjectSet;
import dev.upcall.bench.securefile.study.SetRuns.Pair;
import dev.upcall.bench.securefile.study.SetRuns.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same sets in other stores: the comparison that the paper makes with file systems. */
final class PeerStudy {
  static final String TITLE = "3. Beside other stores";

  private static final String OURS = "upcall";
  private static final String FILES = "files";

  /** Ours by the same program as files. */
  private static final String OUR_FILES = "upcall-files";

  private static final List<String> POSTGRES = List.of("postgres-objects", "postgres-bytea");
  private static final List<String> PEERS =
      List.of(
          FILES,
          OUR_FILES,
          "postgres-objects",
          "postgres-bytea",
          "sqlite",
          "rocksdb-blobs",
          "mvstore",
          "tupl");

  private final SetRuns runs;
  private final Map<Subject, Pair> found = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();

  PeerStudy(SetRuns runs) {
    this.runs = runs;
  }

  /**
   * Videos are values of 100 MB, which other stores take whole into memory, several times. The
   * smallest size shows that everything works.
   */
  private static List<String> peers(StudySize size, ObjectSet set) {
    return set == ObjectSet.VIDEO || !size.decides() && set != ObjectSet.EMAIL
        ? List.of(FILES, OUR_FILES)
        : size.decides() ? PEERS : List.of(FILES, OUR_FILES, "sqlite");
  }

  static double seconds(StudySize size) {
    return size.sets().stream().mapToInt(set -> peers(size, set).size() + 1).sum()
        * size.runSeconds();
  }

  Section section(Path scratch) throws IOException, InterruptedException {
    List<String> absent = absent(scratch);
    for (ObjectSet set : runs.size().sets()) {
      run(Subject.of(OURS, set));
      for (String peer : peers(runs.size(), set)) {
        if (!absent.contains(peer)) {
          run(Subject.of(peer, set));
        }
      }
    }
    missing.add(
        "Each peer is set as its pages advise for durable commits. SQLite has one writer. Other"
            + " stores than the file system take whole values; videos were left out for them.");
    return Section.of(
            TITLE,
            "Each object is a durable call of its own, by the largest number of streams of its set;"
                + " then the store is opened anew, the kernel forgets its pages where this process"
                + " may ask for that, and each object is read once, in random order. Files are"
                + " written, synced and renamed, and their directory is synced.",
            List.of(claim(), pathsClaim()),
            List.of(),
            List.of(grid()))
        .noting(missing.toArray(String[]::new));
  }

  private List<String> absent(Path scratch) throws IOException {
    List<String> absent = new ArrayList<>();
    for (String peer : POSTGRES) {
      try {
        DurableStore.require(peer, scratch);
      } catch (MissingPeerException none) {
        absent.add(peer);
        missing.add("%s was left out: %s".formatted(peer, none.getMessage()));
      }
    }
    return absent;
  }

  private void run(Subject subject) throws IOException, InterruptedException {
    found.put(subject, runs.run(subject, runs.size().peerStreams(subject.set())));
  }

  private Grid grid() {
    return Grid.of(
        "By set and store",
        found.entrySet(),
        Grid.column("set", one -> one.getKey().set().label()),
        Grid.column("store", one -> one.getKey().store()),
        Grid.column("streams", one -> "" + runs.size().peerStreams(one.getKey().set())),
        Grid.column("loaded a second", one -> Judgement.show(one.getValue().load().perSecond())),
        Grid.column("ours over it", one -> Judgement.show(over(one.getKey(), true))),
        Grid.column("MB/s", one -> Judgement.show(one.getValue().load().megabytes())),
        Grid.column("CPU us", one -> Judgement.show(one.getValue().load().cpuMicros())),
        Grid.column("p99 ms", one -> Judgement.show(one.getValue().load().p99Millis())),
        Grid.column(
            "device bytes of its own",
            one ->
                Judgement.show(
                    one.getValue().load().written()
                        / one.getValue().load().fields().decimal("bytes"))),
        Grid.column("read a second", one -> Judgement.show(one.getValue().read().perSecond())),
        Grid.column("ours over it ", one -> Judgement.show(over(one.getKey(), false))),
        Grid.column("MB/s ", one -> Judgement.show(one.getValue().read().megabytes())));
  }

  private double over(Subject subject, boolean isLoad) {
    return rate(Subject.of(OURS, subject.set()), isLoad) / rate(subject, isLoad);
  }

  private double rate(Subject subject, boolean isLoad) {
    Pair pair = found.get(subject);
    return pair == null ? Double.NaN : isLoad ? pair.load().perSecond() : pair.read().perSecond();
  }

  private Claim pathsClaim() {
    Judgement judgement =
        new Judgement(runs.size().decides()).about("our file system over that of the machine");
    for (ObjectSet set : runs.size().sets()) {
      Subject ours = Subject.of(OUR_FILES, set);
      Subject files = Subject.of(FILES, set);
      double loaded = rate(ours, true) / rate(files, true);
      if (set == ObjectSet.EMAIL) {
        judgement.atLeast(set.label() + " loaded", loaded, 1);
      } else {
        judgement.show("%s loaded %s".formatted(set.label(), Judgement.show(loaded)));
      }
      double read = rate(ours, false) / rate(files, false);
      judgement.show("%s read %s".formatted(set.label(), Judgement.show(read)));
    }
    return judgement.claim(
        "SF-PATHS",
        "Aim: a program with java.nio.file loads e-mails into a store at least as fast as into the"
            + " file system of the machine.");
  }

  private Claim claim() {
    Judgement judgement =
        new Judgement(runs.size().decides()).about("e-mails loaded a second, ours over");
    double nearest = Double.MAX_VALUE;
    for (String peer : PEERS) {
      Subject subject = Subject.of(peer, ObjectSet.EMAIL);
      if (!found.containsKey(subject)) {
        continue;
      }
      double ratio = over(subject, true);
      if (POSTGRES.contains(peer)) {
        judgement.atLeast(peer, ratio, 3);
      } else if (!peer.equals(OUR_FILES)) {
        judgement.show("%s %s".formatted(peer, Judgement.show(ratio)));
        nearest = Math.min(nearest, ratio);
      }
    }
    return judgement
        .atLeast("the nearest of these", nearest, 1.5)
        .claim(
            "SF-PEERS",
            "Aim: three times as many e-mails loaded as PostgreSQL, 1.5 times as many as the best"
                + " other store.");
  }
}
