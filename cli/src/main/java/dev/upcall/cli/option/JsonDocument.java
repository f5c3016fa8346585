package dev.upcall.cli.option;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintStream;

/** What a command writes with {@code --json}: one object and a line end. */
public final class JsonDocument {
  private JsonDocument() {}

  /** Fills the fields of an object. */
  public interface Fields {
    /** Writes fields, and nothing around them. */
    void write(JsonGenerator json) throws IOException;
  }

  /** Writes a document, and leaves the stream open. */
  public static void write(PrintStream out, Fields fields) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.writeStartObject();
    fields.write(json);
    json.writeEndObject();
    json.flush();
    out.println();
  }
}
