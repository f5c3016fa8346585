package dev.upcall.httpd.message;

import org.jspecify.annotations.Nullable;

/** Reads the Accept field (RFC 9110, section 12.5.1) for the choice between HTML and JSON. */
public final class Acceptance {
  private static final int FULL_QUALITY = 1000;
  private static final int EXACT = 3;
  private static final int ANY_SUBTYPE = 2;
  private static final int ANY_TYPE = 1;

  /** How well the field speaks of one media type: the quality of its most specific range. */
  private static final class Judgement {
    private final String type;
    private final String anySubtype;
    private int quality;
    private int precision;

    private Judgement(String type) {
      this.type = type;
      this.anySubtype = type.substring(0, type.indexOf('/')) + "/*";
    }

    private void hear(String range, int rangeQuality) {
      int match =
          range.equalsIgnoreCase(type)
              ? EXACT
              : range.equalsIgnoreCase(anySubtype)
                  ? ANY_SUBTYPE
                  : range.equals("*/*") ? ANY_TYPE : 0;
      if (match > precision) {
        precision = match;
        quality = rangeQuality;
      }
    }
  }

  private Acceptance() {}

  /**
   * Whether the client would rather have JSON: by quality, and where that is equal by how precisely
   * it was named. Who likes both alike, or neither, gets HTML.
   */
  public static boolean prefersJson(@Nullable String accept) {
    if (accept == null) {
      return false;
    }
    Judgement html = new Judgement("text/html");
    Judgement json = new Judgement("application/json");
    for (int from = 0; from < accept.length(); ) {
      int end = accept.indexOf(',', from);
      end = end < 0 ? accept.length() : end;
      String[] parts = accept.substring(from, end).split(";", -1);
      String range = parts[0].strip();
      int quality = quality(parts);
      html.hear(range, quality);
      json.hear(range, quality);
      from = end + 1;
    }
    return json.quality > html.quality
        || (json.quality > 0 && json.quality == html.quality && json.precision > html.precision);
  }

  /** Of an element of a list whose parts stand between semicolons, in thousandths. */
  static int quality(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.regionMatches(true, 0, "q=", 0, 2)) {
        return thousandths(parameter.substring(2));
      }
    }
    return FULL_QUALITY;
  }

  /** Of 0 to 1 with at most three decimals; anything else counts as 0, like something unwanted. */
  private static int thousandths(String text) {
    if (!text.matches("0(\\.[0-9]{0,3})?|1(\\.0{0,3})?")) {
      return 0;
    }
    int value = text.charAt(0) == '1' ? FULL_QUALITY : 0;
    int unit = FULL_QUALITY / 10;
    for (int i = 2; i < text.length(); i++) {
      value += (text.charAt(i) - '0') * unit;
      unit /= 10;
    }
    return value;
  }
}
