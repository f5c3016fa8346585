package dev.upcall.bench.proxy.study;

import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.proxy.layout.InfiniteResult;
import dev.upcall.bench.proxy.layout.InfiniteRun;
import dev.upcall.bench.proxy.layout.LayoutKind;
import dev.upcall.bench.proxy.study.DeviceRuns.Found;
import dev.upcall.bench.proxy.study.DeviceRuns.Subject;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.bench.proxy.trace.TraceDraw;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The same layouts on this machine's file system and on our store, by counters of the kernel. */
final class DeviceStudy {
  static final String TITLE = "5. This machine: real files and a mapped file";
  static final String STORE = "6. This machine: our store";

  private static final int MIB = 1 << 20;

  private final DeviceRuns runs;

  DeviceStudy(DeviceRuns runs) {
    this.runs = runs;
  }

  /** All layouts; the smallest size, which shows that everything works, has two. */
  private static List<LayoutKind> kinds(StudySize size) {
    return size.decides()
        ? List.of(LayoutKind.values())
        : List.of(LayoutKind.SQUID, LayoutKind.SQUID_ML);
  }

  private static List<Subject> stored(StudySize size) {
    Subject files = new Subject("a file for each object, as Squid", "STORE", "layout=SQUID");
    Subject bounded = new Subject("a bounded file, LRU", "STORE", "policy=LRU");
    return size.decides()
        ? List.of(
            files,
            new Subject("directories by server, as SquidL", "STORE", "layout=SQUID_L"),
            new Subject("small objects in one file, as SquidML", "STORE", "layout=SQUID_ML"),
            bounded)
        : List.of(files, bounded);
  }

  static double seconds(StudySize size) {
    return (kinds(size).size() + (size.decides() ? 1 : 0)) * size.deviceSeconds();
  }

  static double storeSeconds(StudySize size) {
    return stored(size).size() * size.deviceSeconds();
  }

  /** Real files. */
  Section host() throws IOException, InterruptedException {
    RequestTrace trace = TraceDraw.draw(runs.size().deviceTrace());
    Map<LayoutKind, InfiniteResult> models = new EnumMap<>(LayoutKind.class);
    Map<LayoutKind, Found> found = new EnumMap<>(LayoutKind.class);
    for (LayoutKind kind : kinds(runs.size())) {
      models.put(kind, InfiniteRun.of(kind, trace, runs.size().deviceModel()));
      found.put(kind, runs.run(Subject.host(kind)));
    }
    List<Grid> grids = new ArrayList<>();
    grids.add(grid(models, found));
    if (found.containsKey(LayoutKind.SQUID_M)) {
      grids.add(around(found));
    }
    grids.add(new DeviceClaims(models, found, runs.unlimited()).grid());
    List<String> notes = new ArrayList<>();
    notes.add(
        "Model and device have the same trace and the same memory. The device counts what all"
            + " processes ask of it, the journal of the file system included; what the replaying"
            + " process caused itself stands beside it. On a machine that does anything else"
            + " meanwhile, these figures and times are too high: one command, the one that made"
            + " this page, measures them anew. One run each.");
    notes.add(
        "Replacement in a bounded mapped file (PX-F7A, PX-F7F, PX-F7B) was not run here: the tenth"
            + " of the paper's 24 MB of memory is less than the replaying process needs for itself.");
    if (!runs.unlimited().isEmpty()) {
      notes.add(
          "Memory was not limited, so that hits read nothing and no ratio means anything: "
              + runs.unlimited());
    }
    return Section.of(
            TITLE,
            ("From here on it is measured, on the device below this page: the first seed's trace, or"
                    + " a part of it (%,d requests on day 2), over real files and a file that is really mapped,"
                    + " where a fault reads one page (MADV_RANDOM), as in the model. The process is in a memory control group of %d MB and 8 more for itself. Every 180"
                    + " requests the kernel writes all that is dirty.")
                .formatted(trace.length() - trace.firstDay(), runs.memoryBytes() / MIB),
            List.of(),
            List.of(),
            grids)
        .noting(notes.toArray(String[]::new));
  }

  private static Grid grid(Map<LayoutKind, InfiniteResult> models, Map<LayoutKind, Found> found) {
    InfiniteResult squid = Objects.requireNonNull(models.get(LayoutKind.SQUID));
    Found real = Objects.requireNonNull(found.get(LayoutKind.SQUID));
    return Grid.of(
        "Day 2, by the device's counters",
        models.values(),
        Grid.column("", model -> model.kind().label()),
        Grid.column(
            "of Squid's, model",
            model ->
                Judgement.show((double) model.counts().requests() / squid.counts().requests())),
        Grid.column("reads, model", model -> "%,d".formatted(model.counts().all().reads())),
        Grid.column("writes, model", model -> "%,d".formatted(model.counts().all().writes())),
        column(
            found, "of Squid's, device", one -> Judgement.show(one.requests() / real.requests())),
        column(found, "reads", one -> "%,.0f".formatted(one.reads())),
        column(found, "writes", one -> "%,.0f".formatted(one.writes())),
        column(found, "KB each", one -> Judgement.show(one.meanKb())),
        column(found, "MB read, its own", one -> pair(one, "read", "own-read")),
        column(found, "MB written, its own", one -> pair(one, "written", "own-written")),
        column(found, "s", one -> Judgement.show(one.seconds())));
  }

  /** The same mapped file where a fault reads as much as the kernel likes. */
  private Grid around(Map<LayoutKind, Found> found) throws IOException, InterruptedException {
    Map<String, Found> both = new LinkedHashMap<>();
    both.put("one page", Objects.requireNonNull(found.get(LayoutKind.SQUID_M)));
    both.put(
        "what the kernel reads around it",
        runs.run(
            new Subject(
                "SquidM, read around faults", "AROUND", "layout=" + LayoutKind.SQUID_M.name())));
    Found squid = Objects.requireNonNull(found.get(LayoutKind.SQUID));
    return Grid.of(
        "SquidM on day 2, by what a fault of the mapped file reads",
        both.keySet(),
        Grid.column("a fault reads", name -> name),
        around(both, "of Squid's", one -> Judgement.show(one.requests() / squid.requests())),
        around(both, "reads", one -> "%,.0f".formatted(one.reads())),
        around(both, "writes", one -> "%,.0f".formatted(one.writes())),
        around(both, "KB each", one -> Judgement.show(one.meanKb())),
        around(both, "MB read", one -> "%,.0f".formatted(one.megabytes("read"))),
        around(both, "s", one -> Judgement.show(one.seconds())));
  }

  private static Grid.Column<String> around(
      Map<String, Found> found, String head, Function<Found, String> cell) {
    return Grid.column(head, name -> cell.apply(Objects.requireNonNull(found.get(name))));
  }

  private static Grid.Column<InfiniteResult> column(
      Map<LayoutKind, Found> found, String head, Function<Found, String> cell) {
    return Grid.column(head, model -> cell.apply(Objects.requireNonNull(found.get(model.kind()))));
  }

  private static String pair(Found one, String all, String own) {
    return "%.0f, %.0f".formatted(one.megabytes(all), one.megabytes(own));
  }

  /** Our store. */
  Section store() throws IOException, InterruptedException {
    Map<Subject, Found> found = new LinkedHashMap<>();
    for (Subject subject : stored(runs.size())) {
      found.put(subject, runs.run(subject));
    }
    return Section.of(
            STORE,
            ("The same trace on a volume of our store with %d MB of memory, by the same program"
                    + " over java.nio.file, flushed every 180 requests; requests and bytes by the"
                    + " store's own counters, those of the process by the kernel's.")
                .formatted(Math.max(16, runs.memoryBytes() / MIB)),
            List.of(),
            List.of(),
            List.of(
                Grid.of(
                    "Day 2, and I/O after day 2 against day 1",
                    found.keySet(),
                    Grid.column("", Subject::label),
                    stored(found, "reads", one -> "%,.0f".formatted(one.reads())),
                    stored(found, "writes", one -> "%,.0f".formatted(one.writes())),
                    stored(found, "KB each", one -> Judgement.show(one.meanKb())),
                    stored(found, "MB read, by the kernel", one -> pair(one, "read", "own-read")),
                    stored(
                        found,
                        "MB written, by the kernel",
                        one -> pair(one, "written", "own-written")),
                    stored(found, "s", one -> Judgement.show(one.seconds())),
                    stored(
                        found,
                        "reads of the same after day 1",
                        one -> "%,.0f".formatted(one.sweeps().getFirst().decimal("reads"))),
                    stored(
                        found,
                        "after day 2",
                        one -> "%,.0f".formatted(one.sweeps().getLast().decimal("reads"))),
                    stored(found, "day 2 against day 1", one -> Judgement.show(moved(one)))),
                days(found)))
        .noting(
            "After each day a store that was opened anew reads what day 1 had written, in that"
                + " order; of the bounded file, all of it from begin to end. A file that is"
                + " overwritten gets new places, which the paper's mapped file must not: the bounded file"
                + " shows what that costs, the others whether what stays is left alone.",
            "A write of the store carries many requests: changes of 180 requests are one or a few"
                + " batches of its log, and places follow later, side by side.");
  }

  private static Grid days(Map<Subject, Found> found) {
    return Grid.of(
        "Device requests for each request of the trace",
        found.keySet(),
        Grid.column("", Subject::label),
        stored(found, "day 1", one -> Judgement.show(each(one.first()))),
        stored(found, "day 2", one -> Judgement.show(each(one.second()))),
        stored(
            found,
            "day 2 against day 1",
            one -> Judgement.show(each(one.second()) / each(one.first()))));
  }

  private static double each(Fields day) {
    return (day.decimal("reads") + day.decimal("writes")) / day.number("units");
  }

  private static double moved(Found one) {
    return one.sweeps().getLast().decimal("reads") / one.sweeps().getFirst().decimal("reads");
  }

  private static Grid.Column<Subject> stored(
      Map<Subject, Found> found, String head, Function<Found, String> cell) {
    return Grid.column(head, subject -> cell.apply(Objects.requireNonNull(found.get(subject))));
  }
}
