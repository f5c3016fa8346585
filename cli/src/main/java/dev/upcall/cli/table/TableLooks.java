package dev.upcall.cli.table;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.FileInfo;
import dev.upcall.Listing.Direction;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
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
import dev.upcall.table.EntryLines;
import dev.upcall.table.TableMethod;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands below {@code upcall table} that change nothing. */
final class TableLooks {
  private static final int PIECE_BYTES = 256 << 10;

  private TableLooks() {}

  /** One that looks at a table. */
  abstract static class OfTable extends ReadingCommand {
    @Parameters(index = "0", paramLabel = "/path", description = "The table; links are followed.")
    String path = "";

    OfTable(Shell shell) {
      super(shell);
    }

    final StorePath table() {
      return StorePaths.parse(path);
    }

    final String at() {
      return table().toString();
    }

    /** All values of it that can be read; of the others each is named. */
    final EntryLines values(UpcallReads store) {
      return new EntryLines(
          store,
          table(),
          (value, failed) -> shell.say(value + " is left out: " + failed.getMessage()));
    }

    /** Says how many values were left out; how a command ends with that. */
    final int end(EntryLines values) {
      values.problem().ifPresent(problem -> shell.say(at() + ": " + problem + "; use table get"));
      return values.problem().isEmpty() ? ExitCode.OK : ExitCode.PARTLY;
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
  @Command(
      name = "get",
      description = "Write the value of a key, of whatever size, to standard output.")
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
      Look.Entry look = new Look.Entry(at(), bytes);
      byte[] value;
      try {
        value = store.ask(look).orElseThrow(this::missing);
      } catch (UpcallException.TooLarge isContent) {
        if (!output.json && !text.hex) {
          return copy(store, table().entry(bytes));
        }
        value = whole(store, table().entry(bytes));
      }
      return write(bytes, value);
    }

    private CommandFailure missing() {
      return CommandFailure.failed("NotFound", Printable.of(at() + " has no key " + key));
    }

    private int copy(UpcallReads store, StorePath value) throws IOException {
      try (Upcall.ReadStream stream = store.read(value)) {
        byte[] piece = new byte[PIECE_BYTES];
        long at = 0;
        for (int got = stream.read(at, ByteBuffer.wrap(piece));
            got > 0;
            got = stream.read(at, ByteBuffer.wrap(piece))) {
          shell.stop().endIfAsked();
          shell.out().write(piece, 0, got);
          at += got;
        }
        return ExitCode.OK;
      } catch (UpcallException.NotFound goneMeanwhile) {
        throw missing();
      }
    }

    private byte[] whole(UpcallReads store, StorePath value) {
      try (Upcall.ReadStream stream = store.read(value)) {
        long sizeBytes = stream.info().sizeBytes();
        if (sizeBytes > EntryLines.MAX_VALUE_BYTES) {
          throw CommandFailure.failed(
              "TooLarge",
              "the value has %d bytes: without --json and --hex it is written as it is"
                  .formatted(sizeBytes));
        }
        return store.readAllBytes(value);
      } catch (UpcallException.NotFound goneMeanwhile) {
        throw missing();
      }
    }

    private int write(byte[] bytes, byte[] value) throws IOException {
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
      EntryLines values = values(store);
      Json.object(
          shell.out(),
          opening(),
          json -> {
            json.writeStringField("path", at());
            json.writeArrayFieldStart("entries");
            boolean hasMore = each(store, look, limit, entry -> write(json, text, entry, values));
            json.writeEndArray();
            json.writeBooleanField("hasMore", hasMore);
          });
      return values.unreadable() == 0 ? ExitCode.OK : end(values);
    }

    private void show(TablePage.Entry entry) {
      shell.stop().endIfAsked();
      shell
          .out()
          .println(
              Printable.of(text.shown(entry.key()))
                  + "\t"
                  + (entry.isContent()
                      ? "(%d bytes)".formatted(entry.valueBytes())
                      : Printable.of(text.shown(entry.value()))));
    }
  }

  private static void write(
      JsonGenerator json, EntryText text, TablePage.Entry entry, EntryLines values)
      throws IOException {
    EntryLines.Value value = values.value(entry);
    if (value instanceof EntryLines.Value.Gone) {
      return;
    }
    json.writeStartObject();
    text.write(json, "key", entry.key());
    if (value instanceof EntryLines.Value.Whole(byte[] bytes)) {
      text.write(json, "value", bytes);
    } else {
      json.writeNumberField("leftOutBytes", entry.valueBytes());
    }
    json.writeEndObject();
  }

  /** {@code upcall table dump}. */
  @Command(
      name = "dump",
      description = {
        "Write all entries as lines of JSON, which load reads: {\"key\":\"a\",\"value\":\"b\"},"
            + " with keyHex and valueHex for what is no text.",
        "With --snapshot they are all of one moment.",
        "A value of more than 4 MiB, or one that cannot be read, is left out: its line says"
            + " leftOutBytes, and the command ends with 3.",
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
      EntryLines lines = values(store);
      if (output.json) {
        Json.object(
            shell.out(),
            opening(),
            json -> {
              json.writeStringField("path", at());
              json.writeArrayFieldStart("entries");
              each(store, look, Long.MAX_VALUE, entry -> write(json, text, entry, lines));
              json.writeEndArray();
            });
      } else {
        each(
            store,
            look,
            Long.MAX_VALUE,
            entry -> {
              shell.stop().endIfAsked();
              lines.line(entry, text.hex).ifPresent(shell.out()::println);
            });
      }
      return end(lines);
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
