package dev.upcall.cli.blocks;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.HelpOption;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.TextTable;
import dev.upcall.fsm.Asker;
import dev.upcall.io.trace.BlockMeasures;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TraceHeader;
import dev.upcall.io.trace.TraceTarget;
import dev.upcall.io.trace.text.TraceForm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code upcall blocks}: traces of what goes to a device. */
@Command(
    name = "blocks",
    description = {
      "Look into traces of requests to a device, measure them, draw them, play them again.",
      "A trace is what serve --block-trace has written, fio's iolog (version 2 or 3), or the text of"
          + " blkparse."
    })
public final class BlocksCommand implements Callable<Integer> {
  private static final String TRACE = "TRACE";
  private static final String THE_TRACE = "The trace, in any form.";

  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec = CommandSpec.create();

  private final Surroundings around;

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
      UnaryOperator<String> printable) {
    void say(String message) {
      err.println("upcall: " + printable.apply(message));
    }
  }

  /** A command. */
  public BlocksCommand(Surroundings around) {
    this.around = around;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(around.out());
    return ExitCode.OK;
  }

  @Command(name = "show", description = "Show the requests of a trace, one a line.")
  int show(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = TRACE, description = THE_TRACE) Path trace,
      @Option(
              names = "--skip",
              paramLabel = "N",
              description = "Leave out so many at the beginning. Default: 0.",
              defaultValue = "0")
          long skip,
      @Option(
              names = "--most",
              paramLabel = "N",
              description = "Show so many. Default: 100; 0 for all.",
              defaultValue = "100")
          long most)
      throws IOException {
    if (skip < 0 || most < 0) {
      throw CommandFailure.usage("--skip and --most are numbers of requests");
    }
    Path file = around.directory().resolve(trace);
    TraceOutline outline = outline(file);
    if (output.json) {
      JsonDocument.write(
          around.out(),
          json -> {
            json.writeStringField("form", outline.form().word());
            json.writeStringField("damage", outline.damage());
            json.writeArrayFieldStart("requests");
            each(
                file,
                skip,
                most,
                entry -> {
                  json.writeStartObject();
                  json.writeNumberField("atNanos", entry.timeNanos() - outline.firstNanos());
                  json.writeStringField("operation", entry.operation().words());
                  json.writeNumberField("block", entry.run().block());
                  json.writeNumberField("blocks", entry.run().blocks());
                  json.writeStringField("class", word(entry));
                  json.writeNumberField("asker", entry.source().asker());
                  json.writeNumberField("parts", entry.source().parts());
                  json.writeNumberField("heldNanos", entry.source().waitedNanos());
                  json.writeEndObject();
                  return true;
                });
            json.writeEndArray();
          });
      return ended(outline);
    }
    around.out().println("     time, ms  what            block    blocks  class             who");
    each(
        file,
        skip,
        most,
        entry -> {
          String line =
              String.format(
                  Locale.ROOT,
                  "%13.4f  %-13s %8d  %8d  %-16s  %s",
                  (entry.timeNanos() - outline.firstNanos()) / 1e6,
                  entry.operation().words(),
                  entry.run().block(),
                  entry.run().blocks(),
                  word(entry),
                  Asker.name(entry.source().asker()));
          around.out().println(line);
          return true;
        });
    return ended(outline);
  }

  private static void each(Path file, long skip, long most, TraceOutline.Each each)
      throws IOException {
    long[] seen = {0};
    TraceOutline.each(
        file,
        entry -> {
          long at = seen[0]++;
          if (at < skip) {
            return true;
          }
          return each.take(entry) && (most == 0 || at + 1 < skip + most);
        });
  }

  private static String word(TraceEntry entry) {
    return entry.ioClass().name().toLowerCase(Locale.ROOT);
  }

  @Command(
      name = "stat",
      description = {
        "Measure a trace: sectors and requests by direction, streams, sequentiality, interarrival,"
            + " footprint and working set, and the spread of sizes, distances and of the time that"
            + " requests were held back, by class and by who asks."
      })
  int stat(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = TRACE, description = THE_TRACE) Path trace)
      throws IOException {
    Path file = around.directory().resolve(trace);
    TraceOutline outline = outline(file);
    BlockMeasures measures = new BlockMeasures(Math.max(1, outline.endBlock()));
    TraceOutline.each(
        file,
        entry -> {
          measures.record(entry);
          return true;
        });
    ProfileReport report = new ProfileReport(measures.snapshot());
    if (output.json) {
      JsonDocument.write(
          around.out(),
          json -> {
            json.writeStringField("form", outline.form().word());
            json.writeNumberField("entries", outline.entries());
            json.writeStringField("damage", outline.damage());
            report.write(json);
          });
    } else {
      TextTable head = new TextTable(2, "", "");
      head.row("form", outline.form().word());
      head.row("entries", outline.entries());
      head.row("seconds", String.format(Locale.ROOT, "%.3f", outline.spanNanos() / 1e9));
      head.print(around.out());
      around.out().println();
      report.print(around.out());
    }
    return ended(outline);
  }

  @Command(
      name = "plot",
      description =
          "Draw place over time, a dot for each request, into a page that needs nothing else.")
  int plot(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = TRACE, description = THE_TRACE) Path trace,
      @Parameters(index = "1", paramLabel = "FILE.html", description = "A new file for the page.")
          Path page)
      throws IOException {
    Path file = around.directory().resolve(trace);
    TraceOutline outline = outline(file);
    TracePlot plot = new TracePlot(outline);
    TraceOutline.each(file, plot);
    Files.writeString(
        around.directory().resolve(page),
        plot.page(String.valueOf(trace.getFileName())),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE);
    if (output.json) {
      JsonDocument.write(
          around.out(),
          json -> {
            json.writeStringField("page", page.toString());
            json.writeNumberField("entries", outline.entries());
            json.writeStringField("damage", outline.damage());
          });
    }
    return ended(outline);
  }

  @Command(
      name = "convert",
      description = "Write a trace in another form: upcall, iolog2, iolog3 (fio) or blkparse.")
  int convert(
      @Mixin OutputOptions output,
      @Parameters(index = "0", paramLabel = TRACE, description = THE_TRACE) Path trace,
      @Parameters(index = "1", paramLabel = "FILE", description = "A new file.") Path into,
      @Option(names = "--to", paramLabel = "FORM", required = true, description = "The form.")
          String form,
      @Option(
              names = "--device",
              paramLabel = "PATH",
              description = "What fio shall call the device. Default: device.",
              defaultValue = "device")
          String device)
      throws IOException {
    TraceForm target = form(form);
    if (device.isEmpty() || device.chars().anyMatch(Character::isWhitespace)) {
      throw CommandFailure.usage("--device: fio's log has no way to write a blank in a name");
    }
    Path file = around.directory().resolve(trace);
    TraceOutline outline = outline(file);
    long[] counts = {0, 0};
    try (TraceTarget out =
        target.create(around.directory().resolve(into), new TraceHeader(0, 0, 0), device)) {
      TraceOutline.each(
          file,
          entry -> {
            counts[out.write(entry) ? 0 : 1]++;
            return true;
          });
    }
    if (output.json) {
      JsonDocument.write(
          around.out(),
          json -> {
            json.writeStringField("form", target.word());
            json.writeNumberField("written", counts[0]);
            json.writeNumberField("leftOut", counts[1]);
            json.writeStringField("damage", outline.damage());
          });
    } else {
      around.say(counts[0] + " requests in " + into);
      if (counts[1] > 0) {
        around.say(
            counts[1]
                + " that make room or cut the end are left out: the form has no words for them");
      }
    }
    return ended(outline);
  }

  private static TraceForm form(String name) {
    try {
      return TraceForm.of(name);
    } catch (IllegalArgumentException wrong) {
      throw CommandFailure.usage("--to: " + wrong.getMessage());
    }
  }

  @Command(
      name = "replay",
      description = {
        "Play a trace on a device or file, or without one on a scratch file that is removed.",
        "What is on the target is overwritten, unless only reads are played; so it must be named"
            + " twice, with --overwrite."
      })
  int replay(
      @Mixin OutputOptions output,
      @Mixin ReplayOptions options,
      @Parameters(index = "0", paramLabel = TRACE, description = THE_TRACE) Path trace,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "TARGET",
              description = "A file or block device that is there.")
          @Nullable Path target)
      throws IOException {
    Path file = around.directory().resolve(trace);
    TraceOutline outline = outline(file);
    ReplayRun run = new ReplayRun(around, options, file, outline);
    ReplayReport report =
        target == null ? run.onScratch() : run.on(around.directory().resolve(target));
    if (output.json) {
      JsonDocument.write(around.out(), report::write);
    } else {
      report.print(around.out());
    }
    return report.isWhole() ? ended(outline) : ExitCode.PARTLY;
  }

  private static TraceOutline outline(Path file) throws IOException {
    return TraceOutline.of(file);
  }

  /** A trace that is cut off is worth what is there, and that is said. */
  private int ended(TraceOutline outline) {
    around.out().flush();
    if (outline.damage().isEmpty()) {
      return ExitCode.OK;
    }
    around.say(
        "read to its last whole entry, number " + outline.entries() + ": " + outline.damage());
    return ExitCode.PARTLY;
  }
}
