package dev.upcall.httpd.message;

import dev.upcall.httpd.TrustedProxies;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The client for which a proxy asks, by X-Forwarded-For or Forwarded (RFC 7239). Each proxy adds
 * the address that has asked it at the right end: so the client is the rightmost address that is no
 * trusted proxy's. The client itself may have sent those to the left of it.
 */
public final class ForwardedFor {
  private static final String FOR_LIST = "X-Forwarded-For";
  private static final String FORWARDED = "Forwarded";

  private ForwardedFor() {}

  /**
   * The client's address; the proxy's own where it names none, or one that cannot be read.
   *
   * @param proxy the address of the connection, which is trusted
   */
  public static InetAddress client(HttpHeaders headers, InetAddress proxy, TrustedProxies trusted) {
    boolean list = headers.contains(FOR_LIST);
    boolean elements = headers.contains(FORWARDED);
    if (list == elements) {
      return proxy; // none; or both, of which one may be the client's own
    }
    List<String> names =
        list ? names(headers.getAll(FOR_LIST)) : elements(headers.getAll(FORWARDED));
    InetAddress last = proxy;
    for (String name : names.reversed()) {
      InetAddress address = address(name);
      if (address == null) {
        return last;
      }
      last = address;
      if (!trusted.has(address)) {
        return address;
      }
    }
    return last;
  }

  private static List<String> names(List<String> fields) {
    List<String> names = new ArrayList<>();
    for (String field : fields) {
      for (String name : field.split(",", -1)) {
        names.add(name.strip());
      }
    }
    return names;
  }

  /** The text behind "for=" in each element; empty in one without it. */
  private static List<String> elements(List<String> fields) {
    List<String> names = new ArrayList<>();
    for (String field : fields) {
      for (String element : field.split(",", -1)) {
        String name = "";
        for (String pair : element.split(";", -1)) {
          String stripped = pair.strip();
          if (stripped.regionMatches(true, 0, "for=", 0, 4)) {
            name = stripped.substring(4).strip();
          }
        }
        boolean quoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
        names.add(quoted ? name.substring(1, name.length() - 1) : name);
      }
    }
    return names;
  }

  /**
   * An address, with or without a port, of IPv6 with or without brackets; null for anything else.
   */
  private static @Nullable InetAddress address(String name) {
    String host = name;
    if (name.startsWith("[")) {
      int end = name.indexOf(']');
      host = end < 0 ? "" : name.substring(1, end);
    } else if (name.indexOf(':') == name.lastIndexOf(':') && name.indexOf(':') > 0) {
      host = name.substring(0, name.indexOf(':'));
    }
    boolean is =
        NetUtil.isValidIpV4Address(host)
            || (host.indexOf('%') < 0 && NetUtil.isValidIpV6Address(host));
    try {
      return is ? InetAddress.getByName(host) : null;
    } catch (UnknownHostException none) {
      return null;
    }
  }
}
