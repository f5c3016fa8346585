package dev.upcall.nio;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
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

  /** What a path may have beside letters and digits; the exclamation mark means something else. */
  private static final String PLAIN = "-_.~*'():@&=+$,;/";

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
    String query = uri.getRawQuery();
    if (uri.getRawFragment() != null || query != null && !query.startsWith(SNAPSHOT)) {
      throw new IllegalArgumentException("more than a path and ?snapshot=name: " + uri);
    }
    int mark = raw.indexOf(MARK);
    String volume = decoded(mark < 0 ? raw : raw.substring(0, mark));
    String inside = mark < 0 ? "/" : decoded(raw.substring(mark + 1));
    String snapshot = query == null ? "" : decoded(query.substring(SNAPSHOT.length()));
    return new Parsed(of(Path.of(volume), snapshot), inside);
  }

  /** The URI of a path inside. */
  URI of(String absolute) {
    String query = snapshot.isEmpty() ? "" : "?" + SNAPSHOT + encodedQuery(snapshot);
    return URI.create(SCHEME + "://" + encoded(volume) + "!" + encoded(absolute) + query);
  }

  /** The text whose bytes a URI spells; throws {@link IllegalArgumentException} for none. */
  private static String decoded(String raw) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    int at = 0;
    while (at < raw.length()) {
      int next = raw.indexOf('%', at);
      int end = next < 0 ? raw.length() : next;
      bytes.writeBytes(raw.substring(at, end).getBytes(StandardCharsets.UTF_8));
      at = end;
      if (next >= 0) {
        bytes.write(HexFormat.fromHexDigits(raw, next + 1, next + 3));
        at = next + 3;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException noText) {
      throw new IllegalArgumentException("not the bytes of UTF-8 text: " + raw, noText);
    }
  }

  /**
   * As it is, byte for byte: {@link URI} itself would compose what is decomposed, which is another
   * name.
   */
  private static String encoded(String path) {
    StringBuilder uri = new StringBuilder(path.length());
    for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
      if (each > 0 && isPlain((char) each)) {
        uri.append((char) each);
      } else {
        HexFormat.of().withUpperCase().toHexDigits(uri.append('%'), each);
      }
    }
    return uri.toString();
  }

  private static boolean isPlain(char each) {
    return each >= 'a' && each <= 'z'
        || each >= 'A' && each <= 'Z'
        || each >= '0' && each <= '9'
        || PLAIN.indexOf(each) >= 0;
  }

  private static String encodedQuery(String name) {
    return encoded(name).replace("&", "%26").replace("+", "%2B");
  }
}
