package dev.upcall.httpd;

import dev.upcall.fileman.FileInfo;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Renders a directory for people: a head, rows, a foot. Everything that comes from the store is
 * escaped.
 */
final class DirectoryPage {
  private static final String STYLE =
      """
      body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}
      h1{font-size:1.2rem;overflow-wrap:anywhere}
      table{border-collapse:collapse;width:100%}
      th,td{text-align:left;padding:.15rem .8rem .15rem 0;border-bottom:1px solid #8884}
      td:first-child{overflow-wrap:anywhere}
      td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
      td.t{white-space:nowrap}
      """;

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private DirectoryPage() {}

  /**
   * The part before the rows.
   *
   * @param path of the directory, "/" for the root
   * @param continued whether this page is not the directory's first
   */
  static void head(StringBuilder out, String path, boolean continued) {
    String shown = path.equals("/") ? "/" : path + "/";
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    escape(out, shown);
    out.append("</title>\n<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n<h1>");
    crumbs(out, path);
    out.append("</h1>\n");
    if (continued) {
      out.append("<p><a href=\"./\">First page</a></p>\n");
    }
    out.append("<table>\n<thead><tr><th>Name</th><th class=\"n\">Size</th>")
        .append("<th>Modified (UTC)</th></tr></thead>\n<tbody>\n");
    if (!path.equals("/")) {
      out.append("<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n");
    }
  }

  /**
   * One row.
   *
   * @param entry of the directory
   * @param target what it leads to: itself unless it is a symbolic link, null for a broken link
   */
  static void row(StringBuilder out, FileInfo entry, @Nullable FileInfo target) {
    FileInfo shown = target == null ? entry : target;
    String slash = shown.isDirectory() ? "/" : "";
    out.append("<tr><td>");
    if (target == null) {
      escape(out, entry.name());
      out.append(" (broken link)");
    } else {
      out.append("<a href=\"")
          .append(PercentCoding.encodeName(entry.name()))
          .append(slash)
          .append("\">");
      escape(out, entry.name());
      out.append(slash).append("</a>").append(entry.isSymbolicLink() ? " (link)" : "");
    }
    out.append("</td><td class=\"n\"");
    if (shown.isFile()) {
      out.append(" title=\"").append(shown.sizeBytes()).append("\">");
      readableSize(out, shown.sizeBytes());
    } else {
      out.append('>');
    }
    out.append("</td><td class=\"t\">");
    HttpDate.readable(out, Conditions.modifiedSeconds(shown));
    out.append("</td></tr>\n");
  }

  /**
   * The part behind the rows.
   *
   * @param nextAfter the last name of this page if others follow, or empty
   */
  static void foot(StringBuilder out, String nextAfter) {
    out.append("</tbody>\n</table>\n");
    if (!nextAfter.isEmpty()) {
      out.append("<p><a href=\"?after=")
          .append(PercentCoding.encodeName(nextAfter))
          .append("\">Next page</a></p>\n");
    }
    out.append("</body>\n</html>\n");
  }

  private static void crumbs(StringBuilder out, String path) {
    out.append("<a href=\"/\">/</a>");
    for (int from = 1; from < path.length(); ) {
      int slash = path.indexOf('/', from);
      int end = slash < 0 ? path.length() : slash;
      out.append("<a href=\"")
          .append(PercentCoding.encodePath(path.substring(0, end)))
          .append("/\">");
      escape(out, path.substring(from, end));
      out.append("/</a>");
      from = end + 1;
    }
  }

  /** Text as it stands in HTML, in text and in quoted attributes; controls become visible. */
  static void escape(StringBuilder out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c < ' ' ? (char) (0x2400 + c) : c == 127 ? '\u2421' : c);
      }
    }
  }

  private static void readableSize(StringBuilder out, long sizeBytes) {
    if (sizeBytes < 1024) {
      out.append(sizeBytes).append(" B");
      return;
    }
    int unit = (63 - Long.numberOfLeadingZeros(sizeBytes)) / 10;
    double tenths = Math.floor(sizeBytes * 10.0 / (1L << (10 * unit)));
    out.append(tenths / 10).append(' ').append(UNITS[unit]);
  }

  /** The bytes of what was rendered. */
  static byte[] bytes(StringBuilder text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
