package dev.upcall.cli.admin;

import dev.upcall.httpd.GeneratedResponse;
import dev.upcall.httpd.Status;
import dev.upcall.store.StoreInfo;

/** How a store is, as JSON. */
final class Health {
  private Health() {}

  /** What can be said while the store's thread runs at all. */
  static GeneratedResponse live() {
    return JsonPage.of(Status.OK, json -> json.writeStringField("status", "live"));
  }

  /** Whether the store takes changes and goes on to be served, and why not. */
  static GeneratedResponse ready(StoreInfo info, boolean stopping) {
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
        });
  }
}
