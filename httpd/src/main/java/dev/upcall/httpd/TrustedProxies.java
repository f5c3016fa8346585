package dev.upcall.httpd;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Addresses whose word counts about the client that they ask for. From all others fields that name
 * a client are what a client may have made up.
 *
 * @param networks none for nobody
 */
public record TrustedProxies(List<Network> networks) {
  /** Nobody. */
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  /** Copies the list. */
  public TrustedProxies {
    networks = List.copyOf(Objects.requireNonNull(networks, "networks"));
  }

  /**
   * Addresses that begin with the same bits.
   *
   * @param bits how many
   */
  public record Network(InetAddress address, int bits) {
    /** Checks the bits. */
    public Network {
      Objects.requireNonNull(address, "address");
      if (bits < 0 || bits > 8 * address.getAddress().length) {
        throw new IllegalArgumentException(address.getHostAddress() + " has no " + bits + " bits");
      }
    }

    boolean has(InetAddress other) {
      byte[] mine = address.getAddress();
      byte[] its = other.getAddress();
      if (mine.length != its.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 128 >>> bit % 8;
        if (((mine[bit / 8] ^ its[bit / 8]) & mask) != 0) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Reads networks such as {@code 10.0.0.0/8} and addresses.
   *
   * @throws IllegalArgumentException with the text that is none
   */
  public static TrustedProxies parse(List<String> texts) {
    Objects.requireNonNull(texts, "texts");
    List<Network> networks = new ArrayList<>();
    for (String text : texts) {
      int slash = text.indexOf('/');
      String host = slash < 0 ? text : text.substring(0, slash);
      if (!NetUtil.isValidIpV4Address(host) && !NetUtil.isValidIpV6Address(host)) {
        throw new IllegalArgumentException(text + " is no address or network such as 10.0.0.0/8");
      }
      try {
        InetAddress address = InetAddress.getByName(host);
        int bits =
            slash < 0
                ? 8 * address.getAddress().length
                : Integer.parseInt(text.substring(slash + 1));
        networks.add(new Network(address, bits));
      } catch (UnknownHostException | NumberFormatException none) {
        throw new IllegalArgumentException(text + " is no address or network such as 10.0.0.0/8");
      }
    }
    return new TrustedProxies(networks);
  }

  /** Whether an address is one of them. */
  public boolean has(InetAddress address) {
    Objects.requireNonNull(address, "address");
    return networks.stream().anyMatch(network -> network.has(address));
  }
}
