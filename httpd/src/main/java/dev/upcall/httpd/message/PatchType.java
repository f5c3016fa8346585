package dev.upcall.httpd.message;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a PATCH is written in.
 *
 * @param format how
 * @param boundary between parts; empty where there is none
 */
public record PatchType(Format format, String boundary) {
  /** All that there are, as the field Accept-Patch lists them. */
  public static final String ACCEPTED =
      "message/byterange, multipart/byteranges, application/vnd.upcall.edits";

  /** The longest boundary (RFC 2046, section 5.1.1). */
  private static final int MAX_BOUNDARY = 70;

  private static final String BOUNDARY = "boundary=";

  /** The formats. */
  public enum Format {
    /** One range of bytes (draft-ietf-httpapi-patch-byterange). */
    BYTE_RANGE,
    /** Several of them (the same, and RFC 9110, section 14.6). */
    BYTE_RANGES,
    /** Lines that say what is done, with bytes behind them: see docs/http.md. */
    EDITS
  }

  /** Reads the field Content-Type; null if it is none of these. */
  static @Nullable PatchType of(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    int semicolon = contentType.indexOf(';');
    String name = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return switch (name.strip().toLowerCase(Locale.ROOT)) {
      case "message/byterange" -> new PatchType(Format.BYTE_RANGE, "");
      case "application/vnd.upcall.edits" -> new PatchType(Format.EDITS, "");
      case "multipart/byteranges" -> {
        String boundary = semicolon < 0 ? "" : boundary(contentType.substring(semicolon + 1));
        yield boundary.isEmpty() ? null : new PatchType(Format.BYTE_RANGES, boundary);
      }
      default -> null;
    };
  }

  /** The value of the parameter, or empty if there is none that can be meant. */
  private static String boundary(String parameters) {
    for (String each : parameters.split(";")) {
      String parameter = each.strip();
      if (parameter.regionMatches(/* ignoreCase= */ true, 0, BOUNDARY, 0, BOUNDARY.length())) {
        String value = parameter.substring(BOUNDARY.length()).strip();
        if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
          value = value.substring(1, value.length() - 1);
        }
        return value.length() <= MAX_BOUNDARY ? value : "";
      }
    }
    return "";
  }
}
