package dev.upcall.feed.replay;

import dev.upcall.io.Disk;
import dev.upcall.journal.recording.RecordingReader;
import dev.upcall.journal.trace.TraceSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** {@code upcall trace replay DIR} of what {@code serve --record-inputs} has recorded. */
public final class ReplayCommand {
  private static final int SAME = 0;
  private static final int DIFFERENT = 1;
  private static final int REFUSED = 2;
  private static final int BROKEN = 3;

  private ReplayCommand() {}

  /**
   * Ends the JVM with 0 when all moves are the same, 1 when one differs, 2 when there is nothing to
   * compare, 3 when the store threw something.
   */
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = run(List.of(arguments), UnaryOperator.identity(), out, err);
    if (System.out.checkError()) {
      err.println("upcall: cannot write to standard output");
      code = code == SAME ? BROKEN : code;
    }
    System.exit(code);
  }

  /**
   * The exit code.
   *
   * @param broken as {@link StoreReplay#run(TraceSource, UnaryOperator)}
   */
  static int run(
      List<String> arguments, UnaryOperator<Disk> broken, PrintWriter out, PrintWriter err) {
    if (arguments.size() != 1) {
      err.println("upcall: usage: upcall trace replay DIR");
      return REFUSED;
    }
    Path folder = Path.of(arguments.getFirst());
    try {
      if (!Files.isDirectory(folder)) {
        throw new Refused(folder + " is no directory");
      }
      List<RecordingReader.Run> runs = RecordingReader.runs(folder);
      if (runs.isEmpty()) {
        throw new Refused("nothing is recorded in " + folder);
      }
      Result result = StoreReplay.run(TraceSource.files(folder, runs.getLast().id()), broken);
      result.print(out);
      return result.isSame() ? SAME : DIFFERENT;
    } catch (Broken thrown) {
      err.println("upcall: this build's store threw " + thrown.getMessage() + ":");
      Objects.requireNonNull(thrown.getCause()).printStackTrace(err);
      return BROKEN;
    } catch (IOException refused) {
      err.println("upcall: " + refused.getMessage());
      return REFUSED;
    }
  }
}
