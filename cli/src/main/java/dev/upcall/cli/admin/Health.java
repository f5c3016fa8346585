package dev.upcall.cli.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.Status;
import dev.upcall.store.StoreInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** How a store is, as JSON. */
final class Health {
  private static final String MEDIA_TYPE = "application/json";
  private static final JsonFactory JSON = new JsonFactory();

  private Health() {}

  /** What can be said while the store's thread runs at all. */
  static GeneratedResponse live() {
    return page(Status.OK, json -> json.writeStringField("status", "live"));
  }

  /** Whether the store takes changes and goes on to be served, and why not. */
  static GeneratedResponse ready(StoreInfo info, boolean stopping) {
    boolean writes = info.readOnlyReason().isEmpty();
    boolean ready = writes && !stopping;
    return page(
        ready ? Status.OK : Status.SERVICE_UNAVAILABLE,
        json -> {
          json.writeStringField("status", stopping ? "stopping" : writes ? "ready" : "read-only");
          if (!writes) {
            json.writeStringField("reason", info.readOnlyReason());
          }
          json.writeNumberField("scn", info.scn());
          json.writeNumberField("durableScn", info.durableScn());
        });
  }

  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private static GeneratedResponse page(Status status, Fields fields) {
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
