package dev.upcall.bench.table;

import dev.upcall.bench.entrant.FioEntrant;
import dev.upcall.bench.entrant.Footprint;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.RecoveryEntrant;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import dev.upcall.bench.host.ControlGroup;
import dev.upcall.bench.host.MissingPeerException;
import dev.upcall.bench.table.OverwriteEntrant.Quantity;
import dev.upcall.bench.table.Stores.Question;
import dev.upcall.bench.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tables beside other stores of entries: durable puts, batches, look-ups, scans, the six mixes of
 * YCSB in little memory, what random overwrites cost on disk, and how long a store with many
 * entries takes to open after SIGKILL; and names in a tree beside names in a hashed table.
 */
public final class TablesExperiment implements Experiment {
  private static final int MIB = 1 << 20;
  private static final int PUT_BYTES = 100;
  private static final int RECORD_BYTES = 1000;
  private static final int TINY_ENTRIES = 2_000;

  /** In which a million small entries fit, of ours as of all others. */
  private static final long MEMORY_BYTES = 320L * MIB;

  private static final long TINY_MEMORY_BYTES = 16L * MIB;

  /** The default memory of a store: a quarter of 256 MiB. */
  private static final long STANDARD_BYTES = 64L * MIB;

  /** A JVM needs some of its own. */
  private static final long LEAST_GROUP_BYTES = 256L * MIB;

  private static final int MIX_THREADS = 8;
  private static final int MEMORY_PART = 4;

  /** Loading ten million into the slowest peer, one commit for each thousand. */
  private static final long LOAD_SECONDS = 3600;

  private static final AtomicInteger GROUPS = new AtomicInteger();

  private static final double OPEN_AIM_MILLIS = 2000;
  private static final double HELD_AIM = 1.8;

  @Override
  public String name() {
    return "tables";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    Path plain = lab.scratch().resolve("tables.bin");
    long plainBytes = lab.settings().either(4 * MIB, 256 * MIB);
    Inputs.plainFile(plain, plainBytes);
    List<Comparison> all = new ArrayList<>();
    for (int depth : new int[] {64, 8, 1}) {
      all.add(puts(lab, depth, fio(plain, plainBytes, depth)));
    }
    all.add(
        keeping(
            lab,
            "batches of 1,000 puts of 100 bytes, durable, 1 outstanding",
            new Question("tables-batch", Load.BATCH, 0, PUT_BYTES, 1),
            Stores.ahead(
                Stores.ahead(Figure.perSecond("puts"), 1, Stores.MVSTORE, Stores.SQLITE),
                0.7,
                Stores.ROCKSDB)));
    long million = scaled(lab, 1_000_000);
    for (int threads : new int[] {1, 8}) {
      all.add(
          warm(
              lab,
              "gets of 16 and 100 bytes, %,d entries, warm, %d thread%s"
                  .formatted(million, threads, threads == 1 ? "" : "s"),
              new Question("tables-warm", Load.GET, million, PUT_BYTES, threads),
              "gets"));
    }
    all.add(
        warm(
            lab,
            String.format(Locale.ROOT, "scan of %,d entries of 16 and 100 bytes, warm", million),
            new Question("tables-warm", Load.SCAN, million, PUT_BYTES, 1),
            "entries"));
    for (Load mix : Load.values()) {
      if (mix.isMix()) {
        all.add(mix(lab, mix, million));
      }
    }
    all.add(overwrites(lab, million, 10 * million, Quantity.HELD));
    for (long entries = scaled(lab, 100_000); entries <= scaled(lab, 10_000_000); entries *= 10) {
      all.add(overwrites(lab, entries, entries, Quantity.WRITTEN));
    }
    all.add(openings(lab));
    for (NamesJob.Step step : NamesJob.Step.values()) {
      all.add(names(lab, step, million));
    }
    return all;
  }

  /** So many, a tenth or a hundredth of them as the user has asked for; very few when quick. */
  private static long scaled(Lab lab, long whole) {
    int minutes = lab.settings().ageMinutes();
    int part = minutes >= 20 ? 1 : minutes >= 5 ? 10 : 100;
    return lab.settings().either(Math.min(TINY_ENTRIES, whole / 1000), whole / part);
  }

  private Comparison puts(Lab lab, int depth, Entrant fio) {
    Figure figure = Figure.perSecond("puts");
    Figure aiming =
        depth == 1
            ? figure.aimingAt(Aim.ratio(figure.kind(), 0.85).beside(fio.name()))
            : Stores.ahead(
                figure, 1, Stores.MVSTORE, Stores.ROCKSDB, Stores.LMDB, Stores.SQLITE, Stores.TUPL);
    Comparison comparison =
        keeping(
            lab,
            "puts of 100 bytes, durable, %d outstanding".formatted(depth),
            new Question("tables-put-" + depth, Load.PUT, 0, PUT_BYTES, depth),
            aiming);
    List<Entrant> more = new ArrayList<>(comparison.entrants());
    more.add(fio);
    return new Comparison(name(), comparison.title(), aiming, more).writing(entryBytes(PUT_BYTES));
  }

  private static int entryBytes(int valueBytes) {
    return Entries.KEY_BYTES + valueBytes;
  }

  private static long memoryBytes(Lab lab) {
    return lab.settings().either(TINY_MEMORY_BYTES, MEMORY_BYTES);
  }

  /** Of new entries in stores that are empty at first. */
  private Comparison keeping(Lab lab, String title, Question question, Figure figure) {
    int bytes = entryBytes(question.valueBytes());
    return new Comparison(
            name(),
            title,
            figure,
            Stores.all(
                store -> {
                  Map<String, Object> options = store.options(lab, question, memoryBytes(lab));
                  Path directory = store.directory(lab, question);
                  return started ->
                      WorkerEntrant.start(
                          started,
                          store.title(),
                          Worker.command(started, "tables", options),
                          new Footprint(directory, bytes),
                          LOAD_SECONDS);
                }))
        .writing(bytes);
  }

  /** Of entries that are all in memory. */
  private Comparison warm(Lab lab, String title, Question question, String unit) {
    Figure figure = Figure.perSecond(unit);
    return new Comparison(
        name(),
        title,
        Stores.ahead(figure, 1, Stores.ROCKSDB, Stores.SQLITE),
        Stores.all(
            store ->
                started ->
                    WorkerEntrant.start(
                        started,
                        store.title(),
                        Worker.command(
                            started, "tables", store.options(lab, question, memoryBytes(lab))),
                        null,
                        LOAD_SECONDS)));
  }

  private Comparison mix(Lab lab, Load mix, long records) {
    long data = records * entryBytes(RECORD_BYTES);
    long groupBytes = Math.max(LEAST_GROUP_BYTES, data / MEMORY_PART / MIB * MIB);
    Question question = new Question("tables-mix", mix, records, RECORD_BYTES, MIX_THREADS);
    return new Comparison(
        name(),
        String.format(
            Locale.ROOT,
            "%s, %,d records of 1 KB loaded in key order, Zipf 0.99, %d threads, %d MiB of memory",
            mix.words(),
            records,
            MIX_THREADS,
            groupBytes / MIB),
        Stores.ahead(
            Figure.perSecond("operations"),
            1,
            Stores.MVSTORE,
            Stores.ROCKSDB,
            Stores.LMDB,
            Stores.SQLITE,
            Stores.TUPL),
        Stores.all(
            store ->
                started -> {
                  List<String> command =
                      Worker.command(
                          started,
                          store.heap(groupBytes),
                          "tables",
                          store.options(lab, question, store.cacheBytes(groupBytes)));
                  return confined(started, store.title(), command, groupBytes);
                }));
  }

  private static Running confined(Lab lab, String name, List<String> command, long bytes)
      throws IOException, InterruptedException {
    ControlGroup group = group(bytes);
    try {
      return new Confined(
          WorkerEntrant.start(lab, name, group.around(command), null, LOAD_SECONDS), group);
    } catch (IOException | InterruptedException | RuntimeException broken) {
      group.close();
      throw broken;
    }
  }

  private static ControlGroup group(long bytes) {
    try {
      return ControlGroup.ofMemory(
          "upcall-tables-%d-%d".formatted(ProcessHandle.current().pid(), GROUPS.getAndIncrement()),
          bytes);
    } catch (IOException impossible) {
      throw new MissingPeerException(impossible.toString());
    }
  }

  /** An entrant whose process has its memory limited. */
  private record Confined(Running inside, ControlGroup group) implements Running {
    @Override
    public Sample measure() throws IOException, InterruptedException {
      return inside.measure();
    }

    @Override
    public String note() throws IOException, InterruptedException {
      return inside.note();
    }

    @Override
    public OptionalLong process() {
      return inside.process();
    }

    @Override
    public void close() throws IOException {
      inside.close();
      group.close();
    }
  }

  private Comparison overwrites(Lab lab, long entries, long puts, Quantity quantity) {
    String what = quantity == Quantity.HELD ? "on disk for each live byte" : "written for each put";
    Figure figure = Figure.amount("bytes");
    Question question =
        new Question(
            "tables-" + quantity.name().toLowerCase(Locale.ROOT) + "-" + entries,
            Load.OVERWRITE,
            entries,
            PUT_BYTES,
            1);
    return new Comparison(
        name(),
        String.format(
            Locale.ROOT,
            "bytes %s, %,d random overwrites of %,d entries of 100 bytes",
            what,
            puts,
            entries),
        quantity == Quantity.HELD ? figure.aimingAt(Aim.number(figure.kind(), HELD_AIM)) : figure,
        Stores.all(
            store -> {
              Map<String, Object> options = store.options(lab, question, STANDARD_BYTES);
              OverwriteEntrant.Plan plan =
                  new OverwriteEntrant.Plan(
                      options,
                      store.directory(lab, question),
                      entries,
                      entryBytes(PUT_BYTES),
                      puts,
                      quantity);
              return started -> OverwriteEntrant.start(started, store.title(), plan);
            }));
  }

  private Comparison openings(Lab lab) throws IOException {
    long entries = scaled(lab, 10_000_000);
    int many = (int) Math.max(2, entries / 1000);
    List<Entrant> stores = new ArrayList<>();
    Figure figure = Figure.millis("openings");
    for (int tables : new int[] {1, many}) {
      String title =
          String.format(Locale.ROOT, "upcall, %,d table%s", tables, tables == 1 ? "" : "s");
      Path volume = lab.input("tables-%d-in-%d.upcall".formatted(entries, tables));
      RecoveryEntrant.Store store =
          new RecoveryEntrant.Store(volume, entries, PUT_BYTES, Inputs.capBytes(lab), tables);
      stores.add(
          new Entrant(
              title, Role.OURS, started -> RecoveryEntrant.start(started, store, "entries")));
      figure = figure.aimingAt(Aim.number(figure.kind(), OPEN_AIM_MILLIS).of(title));
    }
    return new Comparison(
        name(),
        String.format(
            Locale.ROOT, "opening after SIGKILL, %,d entries, the log full of puts", entries),
        figure,
        stores);
  }

  private Comparison names(Lab lab, NamesJob.Step step, long names) {
    List<Entrant> sides = new ArrayList<>();
    for (NamesJob.Side side : NamesJob.Side.values()) {
      String kind = side.name().toLowerCase(Locale.ROOT);
      Path volume =
          lab.scratch()
              .resolve("names-%s-%s.upcall".formatted(step.name().toLowerCase(Locale.ROOT), kind));
      Map<String, ?> options =
          Map.of(
              "volume", volume,
              "names", names,
              "side", side,
              "step", step,
              "cap", Inputs.capBytes(lab));
      String title =
          side == NamesJob.Side.FILES ? "upcall, names of files" : "upcall, " + kind + " tables";
      sides.add(
          new Entrant(
              title,
              Role.OURS,
              started ->
                  WorkerEntrant.start(
                      started,
                      title,
                      Worker.command(started, "names", options),
                      null,
                      LOAD_SECONDS)));
    }
    return new Comparison(
        name(),
        String.format(
            Locale.ROOT, "names, %s, %,d names, 1,000 in a directory", step.words(), names),
        Figure.perSecond("names"),
        sides);
  }

  private static Entrant fio(Path file, long bytes, int depth) {
    return FioEntrant.of(
        "fio, O_DSYNC overwrite of 4 KiB", FioEntrant.durableOverwrites(file, bytes, depth));
  }
}
