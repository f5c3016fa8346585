package dev.upcall.nio;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the paths of a file system are: {@code upcall:///data/my.upcall!/letters/a.txt}, and in a
 * snapshot {@code upcall:///data/my.upcall!/letters/a.txt?snapshot=nightly}. An exclamation mark in
 * a name is written {@code %21}.
 *
 * @param volume the volume's file, absolute
 * @param snapshot the snapshot's name, or empty
 */
record MountUri(String volume, String snapshot) {
  static final String SCHEME = "upcall";

  private static final String MARK = "!/";
  private static final String SNAPSHOT = "snapshot=";

  /**
   * A URI with its parts.
   *
   * @param mount which file system
   * @param inside the path in it
   */
  record Parsed(MountUri mount, String inside) {}

  /** Of a volume's file. */
  static MountUri of(Path volume, @Nullable String snapshot) {
    return new MountUri(
        volume.toAbsolutePath().normalize().toString(), snapshot == null ? "" : snapshot);
  }

  /**
   * Takes a URI apart.
   *
   * @throws IllegalArgumentException for what is none of ours
   */
  static Parsed parse(URI uri) {
    String scheme = uri.getScheme();
    String raw = uri.getRawPath();
    if (scheme == null || !scheme.toLowerCase(Locale.ROOT).equals(SCHEME)) {
      throw new IllegalArgumentException("the scheme is not " + SCHEME + ": " + uri);
    }
    if (raw == null || !raw.startsWith("/") || uri.getRawAuthority() != null) {
      throw new IllegalArgumentException("not " + SCHEME + ":///volume!/path: " + uri);
    }
    String query = uri.getQuery();
    if (uri.getRawFragment() != null || query != null && !query.startsWith(SNAPSHOT)) {
      throw new IllegalArgumentException("more than a path and ?snapshot=name: " + uri);
    }
    int mark = raw.indexOf(MARK);
    String volume = decoded(mark < 0 ? raw : raw.substring(0, mark));
    String inside = mark < 0 ? "/" : decoded(raw.substring(mark + 1));
    String snapshot = query == null ? "" : query.substring(SNAPSHOT.length());
    return new Parsed(of(Path.of(volume), snapshot), inside);
  }

  /** The URI of a path inside. */
  URI of(String absolute) {
    String query = snapshot.isEmpty() ? "" : "?" + SNAPSHOT + encodedQuery(snapshot);
    return URI.create(SCHEME + "://" + encoded(volume) + "!" + encoded(absolute) + query);
  }

  private static String decoded(String raw) {
    return URI.create("file://" + raw).getPath();
  }

  private static String encoded(String path) {
    try {
      return new URI("file", "", path, null)
          .toASCIIString()
          .substring("file://".length())
          .replace("!", "%21");
    } catch (URISyntaxException impossible) {
      throw new IllegalArgumentException(path, impossible);
    }
  }

  private static String encodedQuery(String name) {
    String encoded = encoded("/" + name).substring(1);
    return encoded.replace("&", "%26").replace("+", "%2B");
  }
}
