package dev.upcall.specweb.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/**
 * The server under test. Its name is resolved once.
 *
 * @param address where it listens
 * @param authority host and port as the user wrote them, for the {@code Host} header
 * @param base what stands before {@code /file_set} in paths; empty or beginning with a slash
 */
public record Target(InetSocketAddress address, String authority, String base) {
  private static final int HTTP_PORT = 80;
  private static final int MAX_BASE = 512;

  /**
   * Reads a URL such as {@code http://127.0.0.1:8080/}.
   *
   * @throws IllegalArgumentException when it is not one that can be driven, with the reason
   */
  public static Target of(String url) {
    URI uri = parse(url);
    if (!"http".equals(uri.getScheme())) {
      throw new IllegalArgumentException("only http:// URLs can be driven, not " + url);
    }
    if (uri.getHost() == null || uri.getRawQuery() != null || uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "a URL must be a host, a port, and a path: http://127.0.0.1:8080/ for example, not "
              + url);
    }
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    String base = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (base.length() > MAX_BASE) {
      throw new IllegalArgumentException("the path of the URL is longer than " + MAX_BASE);
    }
    int port = uri.getPort() < 0 ? HTTP_PORT : uri.getPort();
    return new Target(resolve(uri.getHost(), port), uri.getRawAuthority(), base);
  }

  private static URI parse(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("not a URL: " + url + " (" + e.getReason() + ")", e);
    }
  }

  private static InetSocketAddress resolve(String host, int port) {
    try {
      String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      return new InetSocketAddress(InetAddress.getByName(bare), port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("no such host: " + host, e);
    }
  }

  /** Whether the server is on this machine. */
  public boolean isLoopback() {
    return address.getAddress().isLoopbackAddress();
  }

  /** The URL of the root below which the set lies. */
  public String url() {
    return "http://" + authority + base + "/";
  }
}
