package dev.upcall.httpd.server;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens, and how clients talk to it there.
 *
 * @param address port 0 takes any free one
 * @param tls what clients must talk to, or null where they talk plain HTTP; it is the caller's, who
 *     closes it behind the server
 */
public record Endpoint(InetSocketAddress address, @Nullable ServerTls tls) {
  /** Checks that there is an address. */
  public Endpoint {
    Objects.requireNonNull(address, "address");
  }

  /** Plain HTTP. */
  public static Endpoint of(InetSocketAddress address) {
    return new Endpoint(address, null);
  }

  /** The same way to talk at another address. */
  Endpoint at(InetSocketAddress other) {
    return new Endpoint(other, tls);
  }
}
