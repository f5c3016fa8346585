package dev.upcall.httpd.web;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The part of {@link WebRules} about one path.
 *
 * @param fields of answers to what is read, by name in lower case
 * @param cors who may ask from pages of other origins
 * @param charset of text that says none itself; empty for none
 * @param precompressed media types, in lower case; a star stands for all subtypes
 * @param digests whether files are read for their digest where a client wants it
 */
public record WebSection(
    Map<String, Field> fields,
    Optional<Cors> cors,
    String charset,
    List<String> precompressed,
    boolean digests) {
  /** Nothing is said. */
  static final WebSection NOTHING =
      new WebSection(Map.of(), Optional.empty(), "", List.of(), false);

  /** Checks that nothing is missing. */
  public WebSection {
    Objects.requireNonNull(fields, "fields");
    Objects.requireNonNull(cors, "cors");
    Objects.requireNonNull(charset, "charset");
    Objects.requireNonNull(precompressed, "precompressed");
  }

  /** A field of a response. */
  public record Field(String name, String value) {
    /** Checks that nothing is missing. */
    public Field {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(value, "value");
    }
  }

  /** The lines of all fields but some. */
  public String fieldLines(Set<String> without) {
    Objects.requireNonNull(without, "without");
    StringBuilder lines = new StringBuilder();
    for (Map.Entry<String, Field> each : fields.entrySet()) {
      Field field = each.getValue();
      if (!without.contains(each.getKey()) && !field.value().isEmpty()) {
        lines.append("\r\n").append(field.name()).append(": ").append(field.value());
      }
    }
    return lines.toString();
  }

  /** A media type with the charset that it has here. */
  public String withCharset(String mediaType) {
    Objects.requireNonNull(mediaType, "mediaType");
    boolean untold =
        !charset.isEmpty()
            && mediaType.regionMatches(true, 0, "text/", 0, 5)
            && !mediaType.toLowerCase(Locale.ROOT).contains("charset");
    return untold ? mediaType + "; charset=" + charset : mediaType;
  }

  /** Whether compressed neighbours stand for a file of that type. */
  public boolean isPrecompressed(String mediaType) {
    Objects.requireNonNull(mediaType, "mediaType");
    if (precompressed.isEmpty()) {
      return false; // most paths are like this
    }
    int end = mediaType.indexOf(';');
    String type = (end < 0 ? mediaType : mediaType.substring(0, end)).strip();
    String exact = type.toLowerCase(Locale.ROOT);
    String all = exact.substring(0, exact.indexOf('/') + 1) + '*';
    return precompressed.contains(exact) || precompressed.contains(all);
  }

  /**
   * The origins whose scripts may ask, and how. Credentials of the browser are never among what
   * they may send; a token that a script has is.
   *
   * @param methods in capitals
   * @param origins none for all
   */
  public record Cors(List<String> methods, List<String> origins) {
    private static final String EXPOSED =
        "\r\nAccess-Control-Expose-Headers: ETag, Content-Range, Content-Encoding, Location,"
            + " Retry-After, Upload-Offset, Upload-Complete, Upload-Length, Upload-Limit,"
            + " Repr-Digest, Content-Digest";
    private static final int MAX_AGE_SECONDS = 600;

    /** Checks that nothing is missing. */
    public Cors {
      Objects.requireNonNull(methods, "methods");
      Objects.requireNonNull(origins, "origins");
    }

    /**
     * The lines that an answer has.
     *
     * @param origin of the page that asks; empty where none is named
     */
    public String lines(String method, String origin) {
      return allowed(method, origin, EXPOSED);
    }

    /**
     * The lines of an answer to the question whether a script may ask so.
     *
     * @param fields that it wants to send, as it names them; checked to be a list of names
     */
    public String preflight(String method, String origin, String fields) {
      Objects.requireNonNull(fields, "fields");
      String all = String.join(", ", methods);
      String named = fields.isEmpty() ? "" : "\r\nAccess-Control-Allow-Headers: " + fields;
      return allowed(
          method,
          origin,
          "\r\nAccess-Control-Allow-Methods: %s%s\r\nAccess-Control-Max-Age: %d"
              .formatted(all, named, MAX_AGE_SECONDS));
    }

    private String allowed(String method, String origin, String more) {
      Objects.requireNonNull(method, "method");
      Objects.requireNonNull(origin, "origin");
      boolean asked = !origin.isEmpty() && methods.contains(method);
      if (origins.isEmpty()) {
        return asked ? "\r\nAccess-Control-Allow-Origin: *" + more : "";
      }
      boolean known = asked && origins.contains(origin);
      // Caches must not give one origin what another was told.
      return (known ? "\r\nAccess-Control-Allow-Origin: " + origin + more : "")
          + "\r\nVary: Origin";
    }
  }
}
