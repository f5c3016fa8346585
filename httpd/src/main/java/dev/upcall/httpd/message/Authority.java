package dev.upcall.httpd.message;

import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.regex.Pattern;

/** The grammar of whom a request is for: a host and perhaps a port (RFC 3986, section 3.2.2). */
final class Authority {
  private static final String MARKS_OF_NAMES = "-._~!$&'()*+,;=";
  private static final Pattern FUTURE_ADDRESS =
      Pattern.compile("[vV][0-9A-Fa-f]+\\.[A-Za-z0-9\\-._~!$&'()*+,;=:]+");

  private Authority() {}

  /** Whether a part of a text is a host, which may be empty, with or without a port. */
  static boolean isHost(String text, int from, int to) {
    if (from == to || text.charAt(from) != '[') {
      return isPort(text, endOfName(text, from, to), to);
    }
    int close = text.indexOf(']', from);
    return close > 0
        && close < to
        && isBracketed(text.substring(from + 1, close))
        && isPort(text, close + 1, to);
  }

  /** Whether a host with or without a port is an address, of IPv6 in brackets. */
  static boolean isAddress(String host) {
    return host.startsWith("[") || NetUtil.isValidIpV4Address(name(host));
  }

  /** The name in a host, without a port, in lower case. */
  static String name(String host) {
    int port = host.startsWith("[") ? -1 : host.indexOf(':');
    return (port < 0 ? host : host.substring(0, port)).toLowerCase(Locale.ROOT);
  }

  /** Where a registered name or an address of four numbers ends. */
  private static int endOfName(String text, int from, int to) {
    int at = from;
    while (at < to) {
      char c = text.charAt(at);
      if (c == '%' && isEscape(text, at, to)) {
        at += 3;
      } else if (isLetterOrDigit(c) || MARKS_OF_NAMES.indexOf(c) >= 0) {
        at++;
      } else {
        return at;
      }
    }
    return at;
  }

  private static boolean isPort(String text, int from, int to) {
    if (from == to) {
      return true;
    }
    if (text.charAt(from) != ':') {
      return false;
    }
    for (int i = from + 1; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  /** What may stand in brackets; an address with the name of an interface means nothing here. */
  private static boolean isBracketed(String text) {
    boolean plain = text.indexOf('%') < 0 && text.indexOf('[') < 0;
    return (plain && NetUtil.isValidIpV6Address(text)) || FUTURE_ADDRESS.matcher(text).matches();
  }

  private static boolean isEscape(String text, int at, int to) {
    return at + 2 < to
        && Character.digit(text.charAt(at + 1), 16) >= 0
        && Character.digit(text.charAt(at + 2), 16) >= 0;
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
