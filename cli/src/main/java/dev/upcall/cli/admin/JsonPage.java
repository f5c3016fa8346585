package dev.upcall.cli.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A page that is one JSON object and a line end. */
final class JsonPage {
  private static final String MEDIA_TYPE = "application/json";
  private static final JsonFactory JSON = new JsonFactory();

  private JsonPage() {}

  /** Writes fields, and nothing around them. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  static GeneratedResponse of(Status status, Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException impossible) {
      throw new UncheckedIOException("writing into memory", impossible);
    }
    return new GeneratedResponse(status, MEDIA_TYPE, bytes.toByteArray());
  }
}
