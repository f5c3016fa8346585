package dev.upcall.httpd.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request names: a path of the store and, for pages of a directory, where the page begins.
 *
 * @param path absolute, decoded, without empty, "." and ".." segments and without a slash at its
 *     end; "/" is the root
 * @param directory whether a slash stood at the end
 * @param query what stood behind the question mark, as it came, or empty
 */
public record RequestTarget(String path, boolean directory, String query) {
  private static final String HTTPS = "https://";
  private static final List<String> SCHEMES = List.of("http://", HTTPS);

  /**
   * Reads the target of a request line: origin form ({@code /a/b?c}) or absolute form ({@code
   * http://host/a/b}, with either scheme). Dot segments are resolved here, before the store sees
   * anything, encoded ones as well; a run of slashes counts as one.
   *
   * @return null if it is neither, climbs above the root, is not UTF-8, or has an escaped slash or
   *     NUL or a control byte that is not escaped
   */
  static @Nullable RequestTarget parse(String target) {
    int start = pathStart(target);
    if (start < 0 || hasControls(target)) {
      return null;
    }
    int end = start;
    while (end < target.length() && target.charAt(end) != '?' && target.charAt(end) != '#') {
      end++;
    }
    int queryEnd = target.indexOf('#', end);
    String query =
        end < target.length() && target.charAt(end) == '?'
            ? target.substring(end + 1, queryEnd < 0 ? target.length() : queryEnd)
            : "";
    if (start == end) {
      return new RequestTarget("/", true, query);
    }
    return isPlain(target, start, end)
        ? plain(target, start, end, query)
        : resolve(target, start, end, query);
  }

  /** Whether a target says that it was asked for over a connection that nobody can read. */
  static boolean isHttps(String target) {
    return target.regionMatches(true, 0, HTTPS, 0, HTTPS.length());
  }

  /** The host of a target in absolute form, which counts in place of the Host field; else null. */
  static @Nullable String authority(String target) {
    int end = target.startsWith("/") ? -1 : pathStart(target);
    return end < 0 ? null : target.substring(target.indexOf("//") + 2, end);
  }

  /** Whether the query has a parameter. */
  public boolean hasParameter(String name) {
    return valueAt(name, 0) >= 0;
  }

  /** Whether it has it more than once. */
  public boolean isRepeated(String name) {
    int at = valueAt(name, 0);
    int next = at < 0 ? -1 : query.indexOf('&', at);
    return next >= 0 && valueAt(name, next + 1) >= 0;
  }

  /**
   * The decoded value of a query parameter; null if it is absent or cannot be decoded. A plus is a
   * space, as clients that fill in forms write it.
   */
  public @Nullable String parameter(String name) {
    int at = valueAt(name, 0);
    if (at < 0) {
      return null;
    }
    int end = query.indexOf('&', at);
    String value = query.substring(at, end < 0 ? query.length() : end).replace('+', ' ');
    return PercentCoding.decode(value, 0, value.length());
  }

  /** Where the first value of a parameter behind a place begins, or -1. */
  private int valueAt(String name, int from) {
    int at = from;
    while (at < query.length()) {
      int end = query.indexOf('&', at);
      end = end < 0 ? query.length() : end;
      if (query.startsWith(name, at)
          && at + name.length() < end
          && query.charAt(at + name.length()) == '=') {
        return at + name.length() + 1;
      }
      at = end + 1;
    }
    return -1;
  }

  /** The same target with a slash at the end of its path, encoded, without host. */
  public String asDirectory() {
    String encoded = PercentCoding.encodePath(path);
    return encoded + (encoded.endsWith("/") ? "" : "/") + (query.isEmpty() ? "" : "?" + query);
  }

  private static int pathStart(String target) {
    if (target.startsWith("/")) {
      return 0;
    }
    for (String scheme : SCHEMES) {
      if (target.regionMatches(true, 0, scheme, 0, scheme.length())) {
        return endOfHost(target, scheme.length());
      }
    }
    return -1;
  }

  private static int endOfHost(String target, int start) {
    int end = start;
    while (end < target.length() && "/?#".indexOf(target.charAt(end)) < 0) {
      end++;
    }
    boolean named = end > start && target.charAt(start) != ':';
    return named && Authority.isHost(target, start, end) ? end : -1;
  }

  private static boolean hasControls(String target) {
    for (int i = 0; i < target.length(); i++) {
      if (target.charAt(i) <= ' ' || target.charAt(i) == 127) {
        return true;
      }
    }
    return false;
  }

  /** Whether the path is what it says: nothing escaped, no segment empty or made of dots. */
  private static boolean isPlain(String target, int start, int end) {
    char before = 0;
    for (int i = start; i < end; i++) {
      char c = target.charAt(i);
      if (c == '%' || c >= 128 || c == 0 || (before == '/' && (c == '/' || c == '.'))) {
        return false;
      }
      before = c;
    }
    return true;
  }

  private static RequestTarget plain(String target, int start, int end, String query) {
    boolean directory = target.charAt(end - 1) == '/';
    int cut = directory && end - start > 1 ? end - 1 : end;
    return new RequestTarget(target.substring(start, cut), directory, query);
  }

  private static @Nullable RequestTarget resolve(String target, int start, int end, String query) {
    StringBuilder path = new StringBuilder(end - start);
    boolean directory = true;
    for (int at = start; at < end; ) {
      int next = at + 1;
      while (next < end && target.charAt(next) != '/') {
        next++;
      }
      String segment = PercentCoding.decode(target, at + 1, next);
      if (segment == null || segment.indexOf(0) >= 0) {
        return null;
      }
      directory = segment.isEmpty() || segment.equals(".") || segment.equals("..");
      if (segment.equals("..")) {
        if (path.isEmpty()) {
          return null;
        }
        path.setLength(path.lastIndexOf("/"));
      } else if (!directory) {
        path.append('/').append(segment);
      }
      at = next;
    }
    return new RequestTarget(path.isEmpty() ? "/" : path.toString(), directory, query);
  }
}
