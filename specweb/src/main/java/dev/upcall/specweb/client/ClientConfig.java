package dev.upcall.specweb.client;

import java.net.InetAddress;
import java.util.List;

/**
 * How requests are sent and answers checked.
 *
 * @param requestsPerConnection 1 speaks HTTP/1.0 as SPECweb96 does, and the server must end the
 *     connection; more speak HTTP/1.1 with the end announced in the last request; 0 never ends a
 *     connection by itself
 * @param checkEvery one in so many bodies is compared byte by byte; of all others the length
 * @param timeoutNanos after this a request has failed
 * @param holdNanos how long a server may hold a connection after the last byte of its last response
 * @param sources local addresses to connect from in turn; empty leaves it to the kernel
 */
public record ClientConfig(
    int requestsPerConnection,
    int checkEvery,
    long timeoutNanos,
    long holdNanos,
    List<InetAddress> sources) {
  /** Checks the limits. */
  public ClientConfig {
    if (requestsPerConnection < 0 || checkEvery < 1 || timeoutNanos < 1 || holdNanos < 1) {
      throw new IllegalArgumentException(
          "requests per connection must be 0 or more, one in how many bodies is checked 1 or more,"
              + " and times above 0");
    }
  }

  /** Whether this is the request that ends its connection. */
  boolean isLast(int number) {
    return requestsPerConnection > 0 && number >= requestsPerConnection;
  }
}
