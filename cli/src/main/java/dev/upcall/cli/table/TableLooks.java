package dev.upcall.cli.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileInfo;
import dev.upcall.Listing.Direction;
import dev.upcall.UpcallReads;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ReadingCommand;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.table.EntryLine;
import dev.upcall.table.TableMethod;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands below {@code upcall table} that change nothing. */
final class TableLooks {
  private TableLooks() {}

  /** One that looks at a table. */
  abstract static class OfTable extends ReadingCommand {
    @Parameters(index = "0", paramLabel = "/path", description = "The table; links are followed.")
    String path = "";

    OfTable(Shell shell) {
      super(shell);
    }

    final String at() {
      return StorePaths.parse(path).toString();
    }
  }

  /** Uses an entry. */
  private interface Use {
    void of(TablePage.Entry entry) throws IOException;
  }

  /** Calls back for the first entries of a range; whether there are more. */
  private static boolean each(UpcallReads store, Look.Entries first, long limit, Use use)
      throws IOException {
    long left = limit;
    Optional<Look.Entries> look = Optional.of(first);
    while (look.isPresent()) {
      TablePage page = store.ask(look.get());
      for (TablePage.Entry entry : page.entries()) {
        if (left == 0) {
          return true;
        }
        left--;
        use.of(entry);
      }
      look = look.get().next(page);
    }
    return false;
  }

  /** {@code upcall table get}. */
  @Command(name = "get", description = "Write the value of a key to standard output.")
  static final class Get extends OfTable {
    @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
    String key = "";

    @Mixin EntryText text = new EntryText();

    Get(Shell shell) {
      super(shell);
    }

    @Override
    protected int read(UpcallReads store) throws IOException {
      byte[] bytes = text.bytes(key);
      byte[] value =
          store
              .ask(new Look.Entry(at(), bytes))
              .orElseThrow(
                  () ->
                      CommandFailure.failed("NotFound", Printable.of(at() + " has no key " + key)));
      if (output.json) {
        Json.object(
            shell.out(),
            opening(),
            json -> {
              json.writeStringField("path", at());
              text.write(json, "key", bytes);
              text.write(json, "value", value);
            });
      } else if (text.hex) {
        shell.out().println(HexFormat.of().formatHex(value));
      } else {
        shell.out().write(value, 0, value.length);
      }
      return ExitCode.OK;
    }
  }

  /** {@code upcall table scan}. */
  @Command(name = "scan", description = "List entries in the order of their keys.")
  static final class Scan extends OfTable {
    @Mixin EntryText text = new EntryText();
    @Mixin RangeOptions range = new RangeOptions();

    @Option(names = "--reverse", description = "From the last key down.")
    boolean reverse;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many entries.")
    long limit = Long.MAX_VALUE;

    Scan(Shell shell) {
      super(shell);
    }

    @Override
    protected int read(UpcallReads store) throws IOException {
      if (limit < 0) {
        throw CommandFailure.usage("--limit must not be negative");
      }
      Look.Entries look =
          new Look.Entries(
              at(),
              range.range(text),
              reverse ? Direction.DESCENDING : Direction.ASCENDING,
              Math.clamp(limit, 1, Look.Entries.MAX_ENTRIES));
      if (!output.json) {
        each(store, look, limit, this::show);
        return ExitCode.OK;
      }
      Json.object(
          shell.out(),
          opening(),
          json -> {
            json.writeStringField("path", at());
            json.writeArrayFieldStart("entries");
            boolean hasMore = each(store, look, limit, entry -> write(json, text, entry));
            json.writeEndArray();
            json.writeBooleanField("hasMore", hasMore);
          });
      return ExitCode.OK;
    }

    private void show(TablePage.Entry entry) {
      shell.stop().endIfAsked();
      shell
          .out()
          .println(
              Printable.of(text.shown(entry.key()))
                  + "\t"
                  + Printable.of(text.shown(entry.value())));
    }
  }

  private static void write(JsonGenerator json, EntryText text, TablePage.Entry entry)
      throws IOException {
    json.writeStartObject();
    text.write(json, "key", entry.key());
    text.write(json, "value", entry.value());
    json.writeEndObject();
  }

  /** {@code upcall table dump}. */
  @Command(
      name = "dump",
      description = {
        "Write all entries as lines of JSON, which load reads: {\"key\":\"a\",\"value\":\"b\"}, with"
            + " keyHex and valueHex for what is no text.",
        "With --snapshot they are all of one moment.",
      })
  static final class Dump extends OfTable {
    @Mixin EntryText text = new EntryText();

    Dump(Shell shell) {
      super(shell);
    }

    @Override
    protected int read(UpcallReads store) throws IOException {
      Look.Entries look =
          new Look.Entries(at(), KeyRange.ALL, Direction.ASCENDING, Look.Entries.MAX_ENTRIES);
      if (output.json) {
        Json.object(
            shell.out(),
            opening(),
            json -> {
              json.writeStringField("path", at());
              json.writeArrayFieldStart("entries");
              each(store, look, Long.MAX_VALUE, entry -> write(json, text, entry));
              json.writeEndArray();
            });
        return ExitCode.OK;
      }
      each(store, look, Long.MAX_VALUE, this::show);
      return ExitCode.OK;
    }

    private void show(TablePage.Entry entry) {
      shell.stop().endIfAsked();
      shell
          .out()
          .println(
              text.hex
                  ? EntryLine.ofHex(entry.key(), entry.value())
                  : EntryLine.of(entry.key(), entry.value()));
    }
  }

  /** {@code upcall table stat}. */
  @Command(name = "stat", description = "Show how many entries a table has, and its method.")
  static final class Stat extends OfTable {
    Stat(Shell shell) {
      super(shell);
    }

    @Override
    protected int read(UpcallReads store) throws IOException {
      FileInfo info = store.stat(at());
      TableMethod method = TableMethod.of(at(), info);
      long entries = store.ask(new Look.EntryCount(at()));
      if (output.json) {
        Json.object(
            shell.out(),
            opening(),
            json -> {
              Json.info(json, at(), info, null);
              json.writeStringField("method", method.word());
              json.writeNumberField("entries", entries);
            });
      } else {
        shell
            .out()
            .printf(
                Locale.ROOT, "%s: %,d entries, %s%n", Printable.of(at()), entries, method.word());
      }
      return ExitCode.OK;
    }
  }
}
