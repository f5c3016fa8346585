package dev.upcall.cli.store;

import dev.upcall.base.HostWords;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.remote.CommandSocket;
import dev.upcall.cli.remote.OwnerConnection;
import dev.upcall.cli.remote.RemoteCall;
import dev.upcall.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** A command that is not done here but by the process that has its store open. */
public final class OwnerCall {
  /** What says how to open a store. */
  private static final List<String> OPENING =
      List.of(
          "--memory",
          "--disk",
          "--engine",
          "--volume-size",
          "--gather",
          "--compression",
          "--dedup");

  private OwnerCall() {}

  /** Has the owner do it; the exit code, or nothing when nobody listens for this volume. */
  public static OptionalInt tryMake(Path volume, Shell shell) throws IOException {
    try (OwnerConnection owner = OwnerConnection.open(volume)) {
      return owner == null ? OptionalInt.empty() : make(owner, volume, shell);
    }
  }

  private static OptionalInt make(OwnerConnection owner, Path volume, Shell shell)
      throws IOException {
    RemoteCall call =
        new RemoteCall(
            shell.arguments(),
            shell.directory().toAbsolutePath().toString(),
            volume.toString(),
            CommandSocket.key(volume),
            shell.interactive(),
            shell.named());
    shell.stop().listen();
    shell.stop().whenAsked(owner::cancel);
    try {
      return owner.run(
          call,
          new OwnerConnection.Streams(
              shell.in(), shell.out(), shell.err(), name -> sayWhatIsNotUsed(name, shell)));
    } catch (IOException ended) {
      if (shell.stop().isAsked()) {
        return OptionalInt.of(ExitCode.FAILED);
      }
      throw CommandFailure.failed(HostWords.of(ended));
    }
  }

  private static void sayWhatIsNotUsed(String owner, Shell shell) {
    List<String> unused =
        shell.arguments().stream()
            .takeWhile(argument -> !argument.equals("--"))
            .map(argument -> argument.split("=", 2)[0])
            .filter(OPENING::contains)
            .distinct()
            .toList();
    if (!unused.isEmpty()) {
      shell.say("the store is open in " + owner + "; not used: " + String.join(", ", unused));
    }
  }
}
