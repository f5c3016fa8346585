package dev.upcall.httpd.server;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a server listens, and how clients talk to it there.
 *
 * @param address port 0 takes any free one
 * @param tls what clients must talk to, or empty where they talk plain HTTP; it is the caller's,
 *     who closes it behind the server
 */
public record Endpoint(InetSocketAddress address, Optional<ServerTls> tls) {
  /** Checks that nothing is missing. */
  public Endpoint {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(tls, "tls");
  }

  /** Plain HTTP. */
  public static Endpoint of(InetSocketAddress address) {
    return new Endpoint(address, Optional.empty());
  }

  /** The same way to talk at another address. */
  Endpoint at(InetSocketAddress other) {
    return new Endpoint(other, tls);
  }
}
