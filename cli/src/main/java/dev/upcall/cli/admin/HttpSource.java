package dev.upcall.cli.admin;

import dev.upcall.UpcallException;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.server.HttpService;
import dev.upcall.httpd.server.SocketKind;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who knows the counts of an HTTP server. Asked on the store's thread. */
@FunctionalInterface
public interface HttpSource {
  /** Tells the counts, or null where there is no server; at once or in a later upcall. */
  void ask(Consumer<@Nullable HttpMetrics> then);

  /** What carries its sockets; empty where nobody has said so. */
  default Optional<SocketKind> sockets() {
    return Optional.empty();
  }

  /** The same of sockets that are carried so. */
  default HttpSource carriedBy(SocketKind kind) {
    HttpSource counts = this;
    return new HttpSource() {
      @Override
      public void ask(Consumer<@Nullable HttpMetrics> then) {
        counts.ask(then);
      }

      @Override
      public Optional<SocketKind> sockets() {
        return Optional.of(kind);
      }
    };
  }

  /** One that knows them without asking others. */
  static HttpSource of(Supplier<@Nullable HttpMetrics> counts) {
    return then -> then.accept(counts.get());
  }

  /** A server of an embedded store, on whatever threads it is. */
  static HttpSource of(HttpService service) {
    return then -> service.metrics(counts -> then.accept(UpcallException.value(counts)));
  }
}
