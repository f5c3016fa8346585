package dev.upcall.cli;

import dev.upcall.base.Printable;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a command knows of the process around it: this one, or, where it runs in the owner of its
 * store, the client's.
 *
 * @param in standard input
 * @param out standard output, for results; buffered, flushed at the end
 * @param err standard error, for messages and progress
 * @param interactive whether messages go to a terminal
 * @param directory the current directory
 * @param environment environment variables by name
 * @param stop whether the user asked for the end
 * @param arguments the command line
 * @param lent the store that this process has open already, or null where the command opens one
 */
record Shell(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean interactive,
    Path directory,
    Function<String, @Nullable String> environment,
    StopSignal stop,
    List<String> arguments,
    @Nullable LentStore lent) {
  private static final int OUT_BUFFER_BYTES = 64 << 10;

  /** Around a command that opens its store. */
  Shell(
      InputStream in,
      PrintStream out,
      PrintStream err,
      boolean interactive,
      Path directory,
      Function<String, @Nullable String> environment,
      StopSignal stop) {
    this(in, out, err, interactive, directory, environment, stop, List.of(), null);
  }

  /** This process's own. */
  static Shell system() {
    return new Shell(
        System.in,
        results(new FileOutputStream(FileDescriptor.out)),
        messages(new FileOutputStream(FileDescriptor.err)),
        errorsGoToATerminal(),
        Path.of("").toAbsolutePath(),
        System::getenv,
        new StopSignal());
  }

  /** Standard output over a stream. */
  static PrintStream results(OutputStream target) {
    return new PrintStream(
        new BufferedOutputStream(target, OUT_BUFFER_BYTES), false, StandardCharsets.UTF_8);
  }

  /** Standard error over a stream. */
  static PrintStream messages(OutputStream target) {
    return new PrintStream(target, true, StandardCharsets.UTF_8);
  }

  /** With a command line. */
  Shell withArguments(List<String> given) {
    return new Shell(
        in, out, err, interactive, directory, environment, stop, List.copyOf(given), lent);
  }

  /** With a store that is open already. */
  Shell withLent(LentStore store) {
    return new Shell(in, out, err, interactive, directory, environment, stop, arguments, store);
  }

  private static boolean errorsGoToATerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  /**
   * A message for the user, one line; what of it nobody would see, or a terminal obey, is escaped.
   */
  void say(String message) {
    err.println("upcall: " + Printable.of(message));
  }

  /** A path as the user meant it. */
  Path resolve(Path path) {
    return directory.resolve(path);
  }
}
