package dev.upcall.cli.posix;

import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.store.OpeningReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The process around such a command, and how its store was opened.
 *
 * @param out for results
 * @param say takes a message for the user
 * @param isStopped whether the user asked for the end
 * @param volume the store's file
 * @param opening what was found when it was opened
 * @param json whether results are for programs
 */
public record Around(
    PrintStream out,
    Consumer<String> say,
    BooleanSupplier isStopped,
    Path volume,
    OpeningReport opening,
    boolean json) {

  /** A command that reads, in a store as it is now or in a snapshot of it. */
  public interface Reading {
    /** Does it; returns the exit code. */
    int run(UpcallReads store, Around around) throws IOException;
  }

  /** A command that looks at a store itself, or changes files of it. */
  public interface Working {
    /** Does it; returns the exit code. */
    int run(Upcall store, Around around) throws IOException;
  }

  /** Writes the document with what a reader of this store must know besides. */
  void write(JsonDocument.Fields fields) throws IOException {
    Json.object(out, opening, fields);
  }
}
