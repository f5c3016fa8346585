package dev.upcall.cli.serve;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.shell.LentStore;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code upcall reload}. */
@Command(
    name = "reload",
    description = {
      "Have the server of a store read the files of --tls-cert, --tls-key, --access and --web again:"
          + " the certificate for new connections, the others for new requests.",
      "Where one of the files is wrong, all stays as it was, and it is said why.",
    })
public final class ReloadCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();

  @Parameters(index = "0", paramLabel = "STORE", description = "The store: its file or device.")
  @Nullable Path store;

  private final Shell shell;

  /** A command. */
  public ReloadCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException {
    if (store == null) {
      throw CommandFailure.usage("no store is named");
    }
    return StoreAccess.whereOpen(store, shell, _ -> reload());
  }

  private int reload() throws IOException {
    LentStore lent = shell.lent();
    Optional<List<String>> read = lent == null ? Optional.empty() : lent.reloaded().reload();
    if (read.isEmpty() || read.get().isEmpty()) {
      throw CommandFailure.failed(
          "what has the store open is no server with --tls-cert, --access or --web");
    }
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeArrayFieldStart("reloaded");
            for (String each : read.get()) {
              json.writeString(each);
            }
            json.writeEndArray();
          });
    } else {
      read.get().forEach(shell::say);
    }
    return ExitCode.OK;
  }
}
