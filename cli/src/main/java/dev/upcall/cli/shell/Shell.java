package dev.upcall.cli.shell;

import dev.upcall.base.Printable;
import dev.upcall.cli.host.HostInput;
import dev.upcall.cli.host.ResultOutput;
import dev.upcall.cli.host.StandardInput;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.remote.CommandSocket;
import dev.upcall.cli.remote.HostFolder;
import dev.upcall.cli.remote.RemoteCall;
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
 * @param named what the command has found of the host's files that it was given
 * @param lent the store that this process has open already, or null where the command opens one
 */
public record Shell(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean interactive,
    Path directory,
    Function<String, @Nullable String> environment,
    StopSignal stop,
    List<String> arguments,
    RemoteCall.Named named,
    @Nullable LentStore lent) {
  private static final Path STANDARD_INPUT = Path.of("/proc/self/fd/0");
  private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
  private static final int OUT_BUFFER_BYTES = 64 << 10;

  /** Around a command that opens its store. */
  public Shell(
      InputStream in,
      PrintStream out,
      PrintStream err,
      boolean interactive,
      Path directory,
      Function<String, @Nullable String> environment,
      StopSignal stop) {
    this(
        in,
        out,
        err,
        interactive,
        directory,
        environment,
        stop,
        List.of(),
        RemoteCall.Named.NONE,
        null);
  }

  /** This process's own. */
  public static Shell system() {
    return new Shell(
            new StandardInput(System.in),
            results(new FileOutputStream(FileDescriptor.out)),
            messages(new FileOutputStream(FileDescriptor.err)),
            errorsGoToATerminal(),
            Path.of("").toAbsolutePath(),
            System::getenv,
            new StopSignal())
        .writingTo(keyOf(STANDARD_OUTPUT));
  }

  /** Standard output over a stream: a write that fails ends the command. */
  public static PrintStream results(OutputStream target) {
    return results(target, "standard output");
  }

  private static PrintStream results(OutputStream target, String name) {
    return new PrintStream(
        new BufferedOutputStream(new ResultOutput(target, name), OUT_BUFFER_BYTES),
        false,
        StandardCharsets.UTF_8);
  }

  /** Standard error over a stream. */
  public static PrintStream messages(OutputStream target) {
    return new PrintStream(target, true, StandardCharsets.UTF_8);
  }

  /** With a command line. */
  public Shell withArguments(List<String> given) {
    return new Shell(
        in, out, err, interactive, directory, environment, stop, List.copyOf(given), named, lent);
  }

  /** With a store that is open already, asked by a client that has found this. */
  public Shell withLent(LentStore store, RemoteCall.Named found) {
    return new Shell(
        in, out, err, interactive, directory, environment, stop, arguments, found, store);
  }

  private Shell with(InputStream input, PrintStream output, RemoteCall.Named found) {
    return new Shell(
        input, output, err, interactive, directory, environment, stop, arguments, found, lent);
  }

  /**
   * With a file of the host's, or - for what it was, as standard input. A file is opened by the
   * process in which it is named, and only there: the owner of a store may find another file under
   * that name, or none.
   */
  public Shell reading(String source) throws IOException {
    if (lent != null) {
      return this;
    }
    if (HostInput.isStandard(source)) {
      return withInput(in, -1, keyOf(STANDARD_INPUT));
    }
    HostInput.check(source);
    Path file = resolve(Path.of(source));
    if (Files.isDirectory(file)) {
      throw CommandFailure.usage(source + " is a directory; use: upcall import " + source);
    }
    InputStream content = Files.newInputStream(file);
    boolean sized = Files.isRegularFile(file);
    return withInput(content, sized ? Files.size(file) : -1, keyOf(file));
  }

  private Shell withInput(InputStream content, long sizeBytes, String key) {
    return with(
        content, out, new RemoteCall.Named(sizeBytes, key, named.outputKey(), named.folder()));
  }

  /** With a new file of the host's as standard output; the caller closes the stream. */
  public Shell writing(OutputStream file, Path name) {
    return with(in, results(file, name.toString()), named).writingTo("");
  }

  private Shell writingTo(String key) {
    return with(
        in, out, new RemoteCall.Named(named.inputBytes(), named.inputKey(), key, named.folder()));
  }

  /**
   * With a folder of the host's whose tree is read or written where the store is open.
   *
   * @throws CommandFailure if this process has the store and does not see the folder that the
   *     client has named
   */
  public Shell naming(Path folder) throws IOException {
    HostFolder here = HostFolder.of(folder);
    if (lent == null) {
      return with(
          in,
          out,
          new RemoteCall.Named(named.inputBytes(), named.inputKey(), named.outputKey(), here));
    }
    if (!here.equals(named.folder())) {
      throw CommandFailure.failed(
          "%s is another directory for %s, which has the store open: that process has other mounts"
                  .formatted(Printable.of(folder.toString()), lent.owner().name())
              + " or another root (a container, say); run the command where that process runs");
    }
    return this;
  }

  /** Which file a name of this process leads to, or nothing where that is not known. */
  private static String keyOf(Path path) {
    try {
      return CommandSocket.key(path);
    } catch (IOException unknown) {
      return "";
    }
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
  public void say(String message) {
    err.println("upcall: " + Printable.of(message));
  }

  /** A path as the user meant it. */
  public Path resolve(Path path) {
    return directory.resolve(path);
  }
}
