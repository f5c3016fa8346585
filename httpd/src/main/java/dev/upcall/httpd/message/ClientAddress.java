package dev.upcall.httpd.message;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Who counts as one client: an address, of IPv6 its network of 64 bits, which is one customer's.
 */
public final class ClientAddress {
  /** Who was gone before anybody could ask. */
  private static final String NOBODY = "";

  private static final int NETWORK_BYTES = 8;

  private ClientAddress() {}

  /** A key for all connections of a client. */
  public static String of(@Nullable SocketAddress remote) {
    return of(remote instanceof InetSocketAddress internet ? internet.getAddress() : null);
  }

  /** The same for an address. */
  public static String of(@Nullable InetAddress address) {
    if (address == null) {
      return NOBODY;
    }
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
