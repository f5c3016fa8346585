package dev.upcall.cli.trace;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.HelpOption;
import dev.upcall.feed.FlightSource;
import dev.upcall.journal.recording.RecordingReader;
import dev.upcall.journal.recording.RecordingReader.Run;
import dev.upcall.journal.trace.Depths;
import dev.upcall.journal.trace.Overview;
import dev.upcall.journal.trace.SlowestRequests;
import dev.upcall.journal.trace.Stalls;
import dev.upcall.journal.trace.StateTimes;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import dev.upcall.journal.trace.Waterfall;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall trace}: why requests took as long as they did. */
@Command(
    name = "trace",
    description = {
      "Show what a store's flight recorder has recorded: of a served store what is in its memory, or"
          + " with --from what serve --record has written, also of a process that was killed.",
      "Alone it shows how long the requests of each kind took. It holds times, states, numbers of"
          + " inodes and blocks; no names of files and no contents.",
    })
public final class TraceCommand implements Callable<Integer> {
  private static final long FOLLOW_MILLIS = 100;

  @Mixin TraceOptions options = new TraceOptions();

  @Option(
      names = {"-f", "--follow"},
      description = "Write a line for each request that ends, until Ctrl-C.")
  boolean follow;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description =
          "Write all as trace events into a new file, for chrome://tracing or ui.perfetto.dev.")
  @Nullable Path export;

  private final Surroundings around;
  private final Served served;

  /**
   * What it knows of the process around it.
   *
   * @param out for results
   * @param err for messages
   * @param directory the current directory
   * @param stop waits for at most so many milliseconds; whether the user asked for the end
   * @param printable escapes what a terminal would obey: files may say anything
   */
  public record Surroundings(
      PrintStream out,
      PrintStream err,
      Path directory,
      LongPredicate stop,
      UnaryOperator<String> printable) {}

  /** The way to a store that is open, in the process that has it. */
  public interface Served {
    /**
     * Does something there; returns the exit code.
     *
     * @param store which, or null for the one that is meant where none is named
     * @param results a new file that takes the place of standard output, or null
     */
    int with(@Nullable Path store, @Nullable Path results, Work work) throws IOException;
  }

  /** Something that is done where the store is open. */
  public interface Work {
    /** Does it; returns the exit code. */
    int run(Upcall store) throws IOException;
  }

  /** Something that is looked at. */
  private interface View {
    void show(Records records) throws IOException;
  }

  /** Made of records while they are read. */
  private interface Analysis<T> {
    T of(TraceSource.Cursor cursor) throws IOException;
  }

  /** How that is shown. */
  private interface Shown<T> {
    void show(TraceReport report, T found) throws IOException;
  }

  /** A command. */
  public TraceCommand(Surroundings around, Served served) {
    this.around = around;
    this.served = served;
  }

  @Override
  public Integer call() throws IOException {
    Path file = export;
    if (follow && file != null) {
      throw CommandFailure.usage("--follow and --export are two things");
    }
    if (follow) {
      return follow();
    }
    return file == null ? look(options, this::overview) : export(options, file);
  }

  private void overview(Records records) throws IOException {
    TraceSource.Cursor cursor = records.source().open();
    Overview overview = Overview.of(cursor);
    List<SlowestRequests.Verb> verbs = SlowestRequests.of(records.source().open(), 1);
    report(options, cursor).overview(records, overview, verbs);
  }

  @Command(name = "slowest", description = "Show the slowest requests of each kind.")
  int slowest(
      @Mixin TraceOptions options,
      @Option(
              names = "--most",
              paramLabel = "N",
              description = "So many of each kind. Default: 5.",
              defaultValue = "5")
          int most)
      throws IOException {
    checkMost(most);
    return analyse(options, cursor -> SlowestRequests.of(cursor, most), TraceReport::slowest);
  }

  @Command(
      name = "request",
      description = "Show one request from its begin to its end: machines, device, what it joined.")
  int request(
      @Mixin TraceOptions options,
      @Parameters(index = "0", paramLabel = "ID", description = "As trace slowest says: r17.")
          String id)
      throws IOException {
    long request;
    try {
      request = TraceRecord.id(id);
    } catch (IllegalArgumentException none) {
      throw CommandFailure.usage(String.valueOf(none.getMessage()));
    }
    return look(
        options,
        records -> {
          Waterfall waterfall =
              Waterfall.of(records.source(), request)
                  .orElseThrow(() -> CommandFailure.failed("nothing is recorded of request " + id));
          report(options, read(records)).request(request, waterfall);
        });
  }

  @Command(name = "states", description = "Show how long machines stood in each state.")
  int states(@Mixin TraceOptions options) throws IOException {
    return analyse(options, StateTimes::of, TraceReport::states);
  }

  @Command(name = "depths", description = "Show what was under way at an instant.")
  int depths(
      @Mixin TraceOptions options,
      @Option(
              names = "--at",
              paramLabel = "TIME",
              description =
                  "2026-11-23T09:30:00.5Z, or so much behind the begin (+1.5s, +20ms) or before the"
                      + " end (-2s). Default: the end.")
          @Nullable String at)
      throws IOException {
    return look(
        options,
        records -> {
          TraceSource.Cursor cursor = records.source().open();
          Overview overview = Overview.of(cursor);
          long shift = cursor.epochLessClockNanos();
          long last = overview.lastNanos() + shift;
          long instant = at == null ? last : Times.parse(at, overview.firstNanos() + shift, last);
          Depths depths = Depths.at(records.source().open(), instant - shift);
          report(options, cursor).depths(instant, depths);
        });
  }

  @Command(
      name = "stalls",
      description = "Show the longest stalls of the store's thread, and what it did before.")
  int stalls(
      @Mixin TraceOptions options,
      @Option(
              names = "--most",
              paramLabel = "N",
              description = "So many. Default: 5.",
              defaultValue = "5")
          int most)
      throws IOException {
    checkMost(most);
    return analyse(options, cursor -> Stalls.of(cursor, most), TraceReport::stalls);
  }

  @Command(
      name = "replay",
      description = {
        "Ask a new store on a simulated disk again what a store was asked (upcall serve --record DIR"
            + " --record-inputs), or run a lifetime of the simulator again (upcall sim --record DIR),"
            + " and name the first transition that differs from the recording.",
        "The simulator is built from the sources: this works in a clone of the project."
      })
  int replay(
      @Mixin HelpOption help,
      @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the recording.")
          Path recording) {
    around
        .err()
        .println(
            "upcall: the simulator is no part of this program; in a clone of the project"
                + " ./upcall trace replay "
                + around.printable().apply(recording.toString())
                + " builds and runs it");
    return ExitCode.FAILED;
  }

  private int follow() throws IOException {
    Path place = options.from;
    if (place != null) {
      Records records = recorded(options, place);
      follow(records.source().open());
      return ExitCode.OK;
    }
    return served.with(
        options.store,
        null,
        store -> {
          FlightSource source = source(store);
          follow(TraceSource.following(source, source.recordsKept()));
          return ExitCode.OK;
        });
  }

  private void follow(TraceSource.Cursor cursor) throws IOException {
    UnaryOperator<String> shown = options.output.json ? name -> name : around.printable();
    Following following = new Following(around.out(), cursor, options.output.json, shown);
    do {
      following.read();
      around.out().flush();
    } while (!around.stop().test(FOLLOW_MILLIS));
  }

  private int export(TraceOptions options, Path file) throws IOException {
    Path place = options.from;
    if (place == null) {
      return served.with(options.store, file, store -> export(inMemory(store), around.out(), file));
    }
    Records records = recorded(options, place);
    Path target = around.directory().resolve(file);
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(target, StandardOpenOption.CREATE_NEW))) {
      return export(records, out, file);
    }
  }

  private int export(Records records, OutputStream out, Path file) throws IOException {
    TraceSource.Cursor cursor = read(records);
    long events = TraceEvents.write(records.source().open(), cursor.names(), out);
    out.flush();
    around
        .err()
        .println(
            "upcall: %d trace events in %s"
                .formatted(
                    events, around.printable().apply(around.directory().resolve(file).toString())));
    return ExitCode.OK;
  }

  private static void checkMost(int most) {
    if (most < 1 || most > 10_000) {
      throw CommandFailure.usage("--most is 1 to 10000");
    }
  }

  /** Shows what one reading of all records gives. */
  private <T> int analyse(TraceOptions options, Analysis<T> analysis, Shown<T> shown)
      throws IOException {
    return look(
        options,
        records -> {
          TraceSource.Cursor cursor = records.source().open();
          T found = analysis.of(cursor);
          shown.show(report(options, cursor), found);
        });
  }

  private int look(TraceOptions options, View view) throws IOException {
    Path place = options.from;
    if (place != null) {
      view.show(recorded(options, place));
      return ExitCode.OK;
    }
    return served.with(
        options.store,
        null,
        store -> {
          view.show(inMemory(store));
          return ExitCode.OK;
        });
  }

  private static Records inMemory(Upcall store) {
    FlightSource source = source(store);
    return new Records(TraceSource.memory(source, source.recordsKept()), "memory", 1, 1);
  }

  private static FlightSource source(Upcall store) {
    if (store.config().engine() != Engine.FSM) {
      throw CommandFailure.failed("an engine of threads has no flight recorder");
    }
    FlightSource source = FlightSource.of(store.fsm());
    if (source.recordsKept() == 0) {
      throw CommandFailure.failed("the flight recorder of that store keeps nothing");
    }
    return source;
  }

  private Records recorded(TraceOptions options, Path place) throws IOException {
    Path from = around.directory().resolve(place);
    List<Run> runs = RecordingReader.runs(from);
    if (runs.isEmpty()) {
      throw CommandFailure.failed("no recording in " + from);
    }
    if (options.run < 1 || options.run > runs.size()) {
      throw CommandFailure.usage("--run is 1 to %d here".formatted(runs.size()));
    }
    Run run = runs.get(runs.size() - options.run);
    return new Records(
        TraceSource.files(from, run.id()), from.toString(), options.run, runs.size());
  }

  /** Behind all records. */
  private static TraceSource.Cursor read(Records records) throws IOException {
    TraceSource.Cursor cursor = records.source().open();
    cursor.read(_ -> {});
    return cursor;
  }

  private TraceReport report(TraceOptions options, TraceSource.Cursor read) {
    return options.output.json
        ? new JsonReport(around.out(), read)
        : new TextReport(around.out(), read, around.printable());
  }

  /**
   * What is looked at.
   *
   * @param place where they are, for a person
   * @param run which of the runs there
   * @param runs how many
   */
  record Records(TraceSource source, String place, int run, int runs) {}
}
