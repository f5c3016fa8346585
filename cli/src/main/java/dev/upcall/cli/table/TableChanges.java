package dev.upcall.cli.table;

import dev.upcall.BatchResult;
import dev.upcall.Existence;
import dev.upcall.FileInfo;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.base.Printable;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.request.Change;
import dev.upcall.request.Expect;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TableRequest;
import dev.upcall.table.TableMethod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands below {@code upcall table} that change one. */
final class TableChanges {
  /** So many keys of any length are a commit of any volume. */
  private static final int REMOVED_AT_ONCE = 256;

  private TableChanges() {}

  /** One that changes entries of a table. */
  abstract static class OfTable extends ChangingCommand {
    @Parameters(index = "0", paramLabel = "/path", description = "The table; links are followed.")
    String path = "";

    OfTable(Shell shell) {
      super(shell);
    }

    final StorePath at() {
      return StorePaths.parse(path);
    }

    /** Refuses a table whose entries hold what only a program keeps right. */
    final void check(Upcall store) {
      TableMethod method = TableMethod.of(at(), store.stat(at()));
      if (method != TableMethod.SORTED) {
        throw CommandFailure.failed(
            "Invalid",
            "%s is a table of method %s, whose entries only a program changes that has opened it as that"
                .formatted(Printable.of(at().toString()), method.word()));
      }
    }

    final void say(String text) {
      if (!output.json) {
        shell.say(Printable.of(at() + ": " + text));
      }
    }
  }

  /** {@code upcall table create}. */
  @Command(name = "create", description = "Make a table without entries.")
  static final class Create extends OfTable {
    @Option(
        names = {"-p", "--parents"},
        description = "Make missing directories; a table that is there is no failure.")
    boolean parents;

    Create(Shell shell) {
      super(shell);
    }

    @Override
    protected int run(Upcall store) throws IOException {
      FileInfo made =
          store
              .ask(
                  new TableRequest.CreateTable(
                      at(), parents ? Parents.MAKE : Parents.MUST_EXIST, MetadataChange.NONE))
              .orElseThrow();
      if (output.json) {
        JsonDocument.write(shell.out(), json -> Json.info(json, at().toString(), made, null));
      }
      say("a table");
      return ExitCode.OK;
    }
  }

  /** {@code upcall table put}. */
  @Command(name = "put", description = "Set the value of a key, at once and durably.")
  static final class Put extends OfTable {
    @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
    String key = "";

    @Parameters(index = "2", arity = "0..1", paramLabel = "VALUE", description = "The value.")
    @Nullable String value;

    @Option(
        names = "--from",
        paramLabel = "FILE|-",
        description = "The value is what this file has, of any size; - is standard input.")
    @Nullable String source;

    @Option(names = "--new", description = "Fail when the key is there.")
    boolean onlyNew;

    @Mixin EntryText text = new EntryText();

    private InputStream content = InputStream.nullInputStream();

    Put(Shell shell) {
      super(shell);
    }

    @Override
    protected Shell given() throws IOException {
      if ((value == null) == (source == null)) {
        throw CommandFailure.usage("say the value: a VALUE, or --from FILE");
      }
      if (source == null) {
        return shell;
      }
      Shell reading = shell.reading(source);
      content = reading.in();
      return reading;
    }

    @Override
    protected int run(Upcall store) throws IOException {
      byte[] bytes = text.bytes(key);
      StorePath path = at().entry(bytes);
      if (value != null) {
        content = new ByteArrayInputStream(text.bytes(value));
      }
      check(store);
      long sizeBytes;
      try (InputStream from = content) {
        PutOptions options =
            PutOptions.DEFAULT.withExistence(onlyNew ? Existence.MUST_NOT_EXIST : Existence.ANY);
        sizeBytes = store.write(path, from, options).sizeBytes();
      }
      if (output.json) {
        JsonDocument.write(
            shell.out(),
            json -> {
              json.writeStringField("path", at().toString());
              text.write(json, "key", bytes);
              json.writeNumberField("valueBytes", sizeBytes);
            });
      }
      say("%d bytes under %s".formatted(sizeBytes, text.shown(bytes)));
      return ExitCode.OK;
    }
  }

  /** {@code upcall table remove}. */
  @Command(
      name = "remove",
      description = {
        "Remove a key, at once and durably, or those of a range.",
        "A large range takes several commits: what was removed when it ends early is gone.",
      })
  static final class Remove extends OfTable {
    @Parameters(index = "1", arity = "0..1", paramLabel = "KEY", description = "The key.")
    @Nullable String key;

    @Mixin RangeOptions range = new RangeOptions();

    @Option(names = "--all", description = "All entries.")
    boolean all;

    @Mixin EntryText text = new EntryText();

    Remove(Shell shell) {
      super(shell);
    }

    @Override
    protected int run(Upcall store) throws IOException {
      if (key == null ? range.isGiven() == all : range.isGiven() || all) {
        throw CommandFailure.usage(
            "say what to remove: a KEY, or --from, --below, --prefix, or --all");
      }
      check(store);
      long removed = key == null ? range(store) : one(store, text.bytes(key));
      if (output.json) {
        JsonDocument.write(
            shell.out(),
            json -> {
              json.writeStringField("path", at().toString());
              json.writeNumberField("removed", removed);
            });
      }
      say(removed + (removed == 1 ? " entry" : " entries") + " removed");
      return ExitCode.OK;
    }

    private long one(Upcall store, byte[] bytes) {
      try {
        store.change(new TableRequest.RemoveEntry(at(), bytes, Expect.PRESENT));
        return 1;
      } catch (UpcallException.NotFound none) {
        throw CommandFailure.failed("NotFound", Printable.of(at() + " has no key " + key));
      }
    }

    private long range(Upcall store) {
      KeyRange bytes = range.range(text);
      long removed = 0;
      try {
        while (true) {
          shell.stop().endIfAsked();
          BatchResult.Removal removal =
              store
                  .ask(
                      new Change.Batch(
                          List.of(new TableRequest.RemoveRange(at(), bytes, REMOVED_AT_ONCE))))
                  .removals()
                  .getFirst();
          removed += removal.entries();
          if (!removal.hasMore()) {
            return removed;
          }
        }
      } catch (CommandFailure | UpcallException failed) {
        throw CommandFailure.of(failed, removed + " entries are removed");
      }
    }
  }
}
