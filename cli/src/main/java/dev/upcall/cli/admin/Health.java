package dev.upcall.cli.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.Status;
import dev.upcall.httpd.server.SocketKind;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** How a store is, as JSON. */
final class Health {
  private Health() {}

  /** What can be said while the store's thread runs at all. */
  static GeneratedResponse live() {
    return JsonPage.of(Status.OK, json -> json.writeStringField("status", "live"));
  }

  /** What transfers for the disk and for the sockets: without io_uring it is something else. */
  static void carriers(JsonGenerator json, StoreInfo info, Optional<SocketKind> sockets)
      throws IOException {
    json.writeStringField("disk", info.disk().name().toLowerCase(Locale.ROOT));
    if (sockets.isPresent()) {
      json.writeStringField("sockets", sockets.get().name().toLowerCase(Locale.ROOT));
    }
  }

  /** Whether the store takes changes and goes on to be served, and why not. */
  static GeneratedResponse ready(StoreInfo info, Optional<SocketKind> sockets, boolean stopping) {
    boolean writes = info.readOnlyReason().isEmpty();
    boolean ready = writes && !stopping;
    return JsonPage.of(
        ready ? Status.OK : Status.SERVICE_UNAVAILABLE,
        json -> {
          json.writeStringField("status", stopping ? "stopping" : writes ? "ready" : "read-only");
          if (!writes) {
            json.writeStringField("reason", info.readOnlyReason());
          }
          json.writeNumberField("scn", info.scn());
          json.writeNumberField("durableScn", info.durableScn());
          carriers(json, info, sockets);
          json.writeNumberField("damagedReads", info.damage().reads());
          json.writeArrayFieldStart("damage");
          for (Failure place : info.damage().places()) {
            json.writeString(place.message());
          }
          json.writeEndArray();
        });
  }
}
