package dev.upcall.cli;

import dev.upcall.cli.serve.WarmUp;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.shell.StopSignal;
import dev.upcall.cli.store.StoreAccess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Does once, over a store of its own, what the commands do. The launcher lets a JVM write down what
 * that has loaded and linked, so that other JVMs need not do it again.
 */
final class Rehearsal {
  /** Each with the exit code that it must have; what comes later uses what came before. */
  private static final String[] PROGRAM = {
    "0 put - /d/a.txt -p --create --volume-size=64m --ttl=1h",
    "0 ls /",
    "0 ls -l -R / --json",
    "0 stat /d/a.txt",
    "0 stat /d/a.txt --json",
    "0 cat /d/a.txt",
    "0 mkdir /e",
    "0 clone /d/a.txt /e/",
    "0 mv /e/a.txt /e/b.txt",
    "0 snapshot create one",
    "0 snapshot list",
    "0 ls / --snapshot=one",
    "0 snapshot drop one",
    "0 rm -r /e",
    "0 export / out",
    "0 import out",
    "0 verify --deep",
    "0 info",
    "0 info --json",
    "0 checkpoint",
    "0 config --json",
    "0 put - /d/b.txt --disk=channel",
    "0 --help",
    "0 ls --help",
    "1 stat /nothing",
    "2 ls --nothing",
    // The stop that was asked for beforehand ends it at once.
    "0 serve --port=0 --json",
  };

  private Rehearsal() {}

  /**
   * Runs in the empty directory that is named, and fails where a command does not do as it must.
   * With {@code serve} as second argument a store is served to clients besides.
   */
  public static void main(String[] args) throws IOException {
    Main.useJdkLogging();
    Path directory = Path.of(args[0]);
    run(directory);
    if (args.length > 1) {
      WarmUp.run(directory, Main::run);
    }
  }

  /** Runs in an empty directory. */
  static void run(Path directory) {
    for (String line : PROGRAM) {
      int space = line.indexOf(' ');
      boolean serves = line.contains("serve");
      int code = Main.run(shell(directory, serves), line.substring(space + 1).split(" ", -1));
      if (code != Integer.parseInt(line.substring(0, space))) {
        throw new IllegalStateException(
            "upcall " + line.substring(space + 1) + " ended with " + code);
      }
    }
  }

  private static Shell shell(Path directory, boolean stopped) {
    StopSignal stop = new StopSignal();
    if (stopped) {
      stop.ask();
    }
    return new Shell(
        new ByteArrayInputStream("content".getBytes(StandardCharsets.UTF_8)),
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
        false,
        directory,
        name -> name.equals(StoreAccess.VARIABLE) ? "s" + StoreAccess.SUFFIX : null,
        stop);
  }
}
