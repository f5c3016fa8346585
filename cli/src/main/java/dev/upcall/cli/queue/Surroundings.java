package dev.upcall.cli.queue;

import dev.upcall.cli.option.JsonDocument;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * What the commands of a queue know of the process around them.
 *
 * @param in standard input
 * @param out for results
 * @param err for messages
 * @param directory the current directory
 * @param printable makes texts of others fit for a terminal
 */
public record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Path directory,
    UnaryOperator<String> printable) {

  /** Writes one object and a line end to standard output. */
  void json(JsonDocument.Fields fields) throws IOException {
    JsonDocument.write(out, fields);
  }
}
