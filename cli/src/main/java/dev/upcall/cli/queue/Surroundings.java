package dev.upcall.cli.queue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
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

  /** Fills the fields of an object. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /** Writes one object and a line end to standard output. */
  void json(Fields fields) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.writeStartObject();
    fields.write(json);
    json.writeEndObject();
    json.flush();
    out.println();
  }
}
