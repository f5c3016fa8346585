package dev.upcall.cli.admin;

import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.httpd.server.HttpService;
import dev.upcall.metrics.MetricsSnapshot;
import dev.upcall.metrics.MetricsSource;
import dev.upcall.metrics.UpcallMetrics;

/** The meters of a store and of the HTTP server over it, for a registry of Micrometer. */
public final class ServerMetrics {
  private static final int DOOR_CAPACITY = 4;

  private ServerMetrics() {}

  /** The meters of an embedded store and of its server. */
  public static UpcallMetrics of(FsmUpcall store, HttpService service) {
    FileManager files = store.fileManager();
    Dispatcher dispatcher = files.dispatcher();
    HttpSource http = HttpSource.of(service);
    Blocking blocking = new Blocking(new RequestDoor("server metrics", DOOR_CAPACITY, dispatcher));
    MetricsSource source =
        () ->
            UpcallException.value(
                blocking.await(
                    port ->
                        http.ask(
                            counts ->
                                dispatcher.complete(
                                    port,
                                    Completion.done(
                                        AdminPages.with(
                                            MetricsSnapshot.of(files),
                                            counts,
                                            HttpMeters::new))))));
    return UpcallMetrics.of(source, dispatcher.clock());
  }
}
