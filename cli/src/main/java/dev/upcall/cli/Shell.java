package dev.upcall.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a command knows of the process around it.
 *
 * @param in standard input
 * @param out standard output, for results; buffered, flushed at the end
 * @param err standard error, for messages and progress
 * @param interactive whether messages go to a terminal
 * @param directory the current directory
 * @param environment environment variables by name
 * @param stop whether the user asked for the end
 */
record Shell(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean interactive,
    Path directory,
    Function<String, @Nullable String> environment,
    StopSignal stop) {
  private static final int OUT_BUFFER_BYTES = 64 << 10;

  /** This process's own. */
  static Shell system() {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUT_BUFFER_BYTES),
            false,
            StandardCharsets.UTF_8);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new Shell(
        System.in, out, err, errorsGoToATerminal(), Path.of(""), System::getenv, new StopSignal());
  }

  private static boolean errorsGoToATerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  /** A message for the user, one line. */
  void say(String message) {
    err.println("upcall: " + message);
  }

  /** A path as the user meant it. */
  Path resolve(Path path) {
    return directory.resolve(path);
  }
}
