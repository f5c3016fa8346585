package dev.upcall.httpd.session;

import dev.upcall.httpd.TrustedProxies;
import dev.upcall.httpd.message.ClientAddress;
import dev.upcall.httpd.message.ForwardedFor;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the requests of one connection come from: the other end, or behind a trusted proxy what
 * that says of each. Dispatcher's thread only.
 */
final class Origin {
  private final Connection connection;
  private final TrustedProxies proxies;
  private boolean asked;
  private @Nullable InetAddress peer;
  private @Nullable InetAddress client;
  private @Nullable String clientText;
  private boolean proxy;

  Origin(Connection connection, TrustedProxies proxies) {
    this.connection = connection;
    this.proxies = proxies;
  }

  /** The other end, which is asked for once, and when it matters. */
  private @Nullable InetAddress peer() {
    if (!asked) {
      asked = true;
      peer = connection.peer();
      proxy = peer != null && proxies.has(peer);
      client = peer;
    }
    return peer;
  }

  /** A request has come. */
  void arrived(HttpHeaders headers) {
    InetAddress other = peer();
    if (proxy && other != null) {
      client = ForwardedFor.client(headers, other, proxies);
      clientText = null;
    }
  }

  /** Whether a trusted proxy is at the other end. */
  boolean isProxy() {
    return peer() != null && proxy;
  }

  /** Whether nobody between the client's side and here can see what is sent. */
  boolean isSafe() {
    InetAddress other = peer();
    return connection.isSecure() || proxy || (other != null && other.isLoopbackAddress());
  }

  /** The client's address; null if it was gone before it was asked for. */
  @Nullable String address() {
    if (clientText == null && peer() != null && client != null) {
      clientText = client.getHostAddress();
    }
    return clientText;
  }

  /** Whose the present request is; see {@link ClientAddress}. */
  String key() {
    return isProxy() ? ClientAddress.of(client) : connection.address();
  }
}
