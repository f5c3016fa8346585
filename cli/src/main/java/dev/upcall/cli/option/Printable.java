package dev.upcall.cli.option;

/** Texts from a store for a terminal: control characters are escaped, nothing else. */
public final class Printable {
  private Printable() {}

  /** The text on one line. */
  public static String of(String text) {
    StringBuilder shown = null;
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isISOControl(unit)) {
        shown = shown == null ? new StringBuilder(text.substring(0, i)) : shown;
        shown.append(
            switch (unit) {
              case '\n' -> "\\n";
              case '\t' -> "\\t";
              case '\r' -> "\\r";
              default -> String.format("\\x%02x", (int) unit);
            });
      } else if (shown != null) {
        shown.append(unit);
      }
    }
    return shown == null ? text : shown.toString();
  }
}
