package dev.upcall.cli.volume;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.Upcall;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.HelpOption;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.KeyOptions;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreCommand;
import dev.upcall.config.KeySource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code upcall key}. */
@Command(
    name = "key",
    description = {
      "Add, remove, list and replace the keys that open an encrypted store.",
      "Each takes one checkpoint, whatever the size of the store, and is durable when the command is"
          + " over. Which key opens the store now say --key-file, --key-command, --passphrase-file.",
    })
public final class KeyCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: add, remove SLOT, list or rotate");
  }

  /** Another key. */
  static final class NewKey {
    @Option(
        names = "--new-key-file",
        paramLabel = "FILE",
        description = "A file with the new key: 32 random bytes or more that only you may read.")
    @Nullable Path keyFile;

    @Option(
        names = "--new-key-command",
        paramLabel = "COMMAND",
        description =
            "The new key is what this command of the shell writes; not where another process has the"
                + " store open.")
    @Nullable String keyCommand;

    @Option(
        names = "--new-passphrase-file",
        paramLabel = "FILE",
        description = "A file with the new passphrase.")
    @Nullable Path passphraseFile;

    KeySource source(Shell shell) {
      if (keyCommand != null && shell.lent() != null) {
        throw CommandFailure.usage(
            "--new-key-command would run in the process that has the store open; give"
                + " --new-key-file");
      }
      String names = "--new-key-file, --new-key-command, --new-passphrase-file";
      KeySource source =
          KeyOptions.source(
              keyFile == null ? null : shell.resolve(keyFile),
              keyCommand,
              passphraseFile == null ? null : shell.resolve(passphraseFile),
              names);
      if (source == null) {
        throw CommandFailure.usage("give the new key: one of " + names);
      }
      return source;
    }
  }

  /** One that changes keys, and shows what there is then. */
  abstract static class Changing extends StoreCommand {
    Changing(Shell shell) {
      super(shell);
    }

    abstract void change(Upcall.Keys keys);

    @Override
    protected final int run(Upcall store) throws IOException {
      change(store.keys());
      if (output.json) {
        JsonDocument.write(shell.out(), json -> write(json, store.keys().slots()));
      }
      return ExitCode.OK;
    }
  }

  /** {@code upcall key add}. */
  @Command(name = "add", description = "Let another key open the store, too.")
  public static final class Add extends Changing {
    @Mixin NewKey other = new NewKey();

    public Add(Shell shell) {
      super(shell);
    }

    @Override
    void change(Upcall.Keys keys) {
      keys.add(other.source(shell));
    }
  }

  /** {@code upcall key rotate}. */
  @Command(
      name = "rotate",
      description = "Let another key open the store in the stead of the one that has opened it.")
  public static final class Rotate extends Changing {
    @Mixin NewKey other = new NewKey();

    public Rotate(Shell shell) {
      super(shell);
    }

    @Override
    void change(Upcall.Keys keys) {
      keys.rotate(other.source(shell));
    }
  }

  /** {@code upcall key remove}. */
  @Command(
      name = "remove",
      description = {
        "Let the key of a slot open the store no more.",
        "With --all --destroy no key opens it any more: all that is in it is lost for good.",
      })
  public static final class Remove extends Changing {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "SLOT",
        description = "Its number, as 'key list' shows it.")
    @Nullable Integer slot;

    @Option(names = "--all", description = "All slots; with --destroy.")
    boolean all;

    @Option(names = "--destroy", description = "That everything is lost with --all is meant.")
    boolean destroy;

    public Remove(Shell shell) {
      super(shell);
    }

    @Override
    void change(Upcall.Keys keys) {
      Integer named = slot;
      if (all == (named != null)) {
        throw CommandFailure.usage("give the number of a slot, or --all");
      }
      if (all != destroy) {
        throw CommandFailure.usage(
            all
                ? "with --all nothing in the store can be read any more, for good; if that is meant,"
                    + " add --destroy"
                : "--destroy goes with --all");
      }
      if (named == null) {
        keys.destroyAll();
        return;
      }
      if (named < 0 || named > LAST_SLOT) {
        throw CommandFailure.usage("slots have the numbers 0 to " + LAST_SLOT);
      }
      keys.remove(named);
    }
  }

  private static final int LAST_SLOT = 7;

  /** {@code upcall key list}. */
  @Command(
      name = "list",
      description = "List the slots that are in use, and which of them opened the store.")
  public static final class ListKeys extends StoreCommand.Looking {
    public ListKeys(Shell shell) {
      super(shell);
    }

    @Override
    protected int run(Upcall store) throws IOException {
      List<Upcall.Keys.Slot> slots = store.keys().slots();
      if (output.json) {
        Json.object(shell.out(), opening(), json -> write(json, slots));
        return ExitCode.OK;
      }
      for (Upcall.Keys.Slot slot : slots) {
        shell
            .out()
            .println(
                "%d  %-10s%s"
                    .formatted(
                        slot.number(), kind(slot), slot.isOpener() ? "  opened the store now" : "")
                    .stripTrailing());
      }
      return ExitCode.OK;
    }
  }

  private static String kind(Upcall.Keys.Slot slot) {
    return slot.isPassphrase() ? "passphrase" : "key";
  }

  private static void write(JsonGenerator json, List<Upcall.Keys.Slot> slots) throws IOException {
    json.writeArrayFieldStart("keys");
    for (Upcall.Keys.Slot slot : slots) {
      json.writeStartObject();
      json.writeNumberField("slot", slot.number());
      json.writeStringField("kind", kind(slot));
      json.writeBooleanField("opener", slot.isOpener());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
