package dev.upcall.httpd.listing;

import dev.upcall.FileInfo;
import dev.upcall.base.Printable;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.SitePage;
import dev.upcall.httpd.listing.ListingOrder.Column;
import dev.upcall.httpd.message.HttpDate;
import dev.upcall.httpd.message.PercentCoding;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A directory for people: one table that needs nothing but itself. Everything that comes from the
 * store is escaped; should something slip through, the page's policy lets nothing run or load.
 */
public final class HtmlListing implements ListingFormat {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--line:#d1d9e0;--paper:#fff;--row:#f3f6f9;--link:#0759b3}
      @media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#9aa4af;--line:#30363d;--paper:#12151a;--row:#1b2027;--link:#75b5ff}}
      *{box-sizing:border-box}
      body{margin:0 auto;max-width:64rem;padding:1.5rem 1.25rem 3rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
      a{color:var(--link);text-decoration:none}
      a:hover,a:focus{text-decoration:underline}
      h1{margin:0 .6rem 1rem;font-size:1.15rem;font-weight:600;overflow-wrap:anywhere}
      h1 i{color:var(--soft);font-style:normal;font-weight:400;padding:0 .3em}
      table{width:100%;border-collapse:collapse}
      th{color:var(--soft);font-size:.82rem;font-weight:500;text-align:left}
      th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
      tbody tr:hover{background:var(--row)}
      td:first-child{overflow-wrap:anywhere;width:100%}
      th{white-space:nowrap}
      .d{font-weight:600}
      .s,.t{color:var(--soft);font-variant-numeric:tabular-nums;white-space:nowrap}
      .s{text-align:right}
      small{color:var(--soft);font-size:.85em;font-weight:400}
      nav{margin:1rem .6rem;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;color:var(--soft)}
      @media(max-width:38rem){body{padding:1rem .75rem 2rem}h1,nav{margin:1rem .25rem}table,thead,tbody{display:block}tr{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.45rem .25rem;border-bottom:1px solid var(--line)}th,td{padding:0;border:0}td:first-child{flex:1 0 100%}.s,.t{font-size:.85rem}.s{min-width:4.5rem;text-align:left}}
      """;

  /** What a browser may do with a page: nothing but show it with its own style. */
  public static final String POLICY =
      "default-src 'none'; style-src 'sha256-"
          + sha256(STYLE)
          + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private final ListingQuery query;

  /** What stands behind each reference to another path. */
  private final String elsewhere;

  HtmlListing(ListingQuery query) {
    this.query = query;
    this.elsewhere = query.elsewhere();
  }

  @Override
  public void head(
      StringBuilder out, String path, @Nullable EntryCount count, @Nullable String previous) {
    String shown = path.equals("/") ? "/" : path + "/";
    out.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    escape(out, shown);
    out.append("</title>\n<style>").append(STYLE).append("</style>\n</head>\n<body>\n<h1>");
    crumbs(out, path);
    out.append("</h1>\n<nav>");
    if (count != null) {
      out.append("<span>").append(count.isBounded() ? "More than " : "");
      entries(out, count.total());
      out.append("</span>");
    }
    back(out, previous);
    out.append("</nav>\n<table>\n<thead><tr>");
    boolean sortable = count != null && count.total() <= HttpConfig.MAX_LISTING_ENTRIES;
    column(out, Column.NAME, "Name", true);
    column(out, Column.SIZE, "Size", sortable);
    column(out, Column.MODIFIED, "Modified (UTC)", sortable);
    out.append("</tr></thead>\n<tbody>\n");
    if (!path.equals("/")) {
      out.append("<tr><td class=\"d\">");
      link(out, "../" + elsewhere, "..");
      out.append("</td>").append("<td class=\"s\"></td><td class=\"t\"></td></tr>\n");
    }
  }

  @Override
  public void entry(
      StringBuilder out, boolean first, SitePage.Entry entry, @Nullable LinkTarget link) {
    if (entry.info().isPresent()) {
      entry(out, entry.info().get(), link);
      return;
    }
    out.append("<tr><td>");
    name(out, entry.name(), " <small>(cannot be read)</small>");
    out.append("</td><td class=\"s\"></td><td class=\"t\"></td></tr>\n");
  }

  private void entry(StringBuilder out, FileInfo entry, @Nullable LinkTarget link) {
    FileInfo shown = link == null ? entry : link.found().orElse(null);
    boolean directory = shown != null && shown.isDirectory();
    out.append(directory ? "<tr><td class=\"d\">" : "<tr><td>");
    if (shown == null) {
      name(out, entry.name(), "");
    } else {
      String slash = directory ? "/" : "";
      out.append("<a href=\"").append(PercentCoding.encodeName(entry.name())).append(slash);
      escape(out, elsewhere);
      out.append("\">");
      name(out, entry.name(), slash);
      out.append("</a>");
    }
    if (link != null) {
      out.append(" <small>\u2192 <bdi>");
      escape(out, link.path());
      out.append("</bdi>").append(shown == null ? " (broken)" : "").append("</small>");
    }
    out.append("</td><td class=\"s\"");
    if (shown != null && shown.isFile()) {
      out.append(" title=\"").append(shown.sizeBytes()).append(" bytes\">");
      readableSize(out, shown.sizeBytes());
    } else {
      out.append('>');
    }
    out.append("</td><td class=\"t\">");
    FileInfo dated = shown == null ? entry : shown;
    HttpDate.readable(out, dated.times().modified().getEpochSecond());
    out.append("</td></tr>\n");
  }

  @Override
  public void foot(
      StringBuilder out, int entries, @Nullable String previous, @Nullable String next) {
    out.append("</tbody>\n</table>\n<nav>");
    back(out, previous);
    if (next != null) {
      link(out, next, "Next page");
      link(out, query.last(), "Last page");
    }
    if (entries == 0) {
      out.append("<span>")
          .append(query.cursor() == null ? "This directory is empty." : "Nothing more.")
          .append("</span>");
    } else if (previous != null || next != null) {
      out.append("<span>");
      entries(out, entries);
      out.append(" on this page</span>");
    }
    out.append("</nav>\n</body>\n</html>\n");
  }

  private void back(StringBuilder out, @Nullable String previous) {
    if (previous != null) {
      link(out, query.first(), "First page");
      link(out, previous, "Previous page");
    }
  }

  private static void entries(StringBuilder out, int count) {
    out.append(String.format(Locale.ROOT, "%,d", count)).append(count == 1 ? " entry" : " entries");
  }

  /** The head of a column, which is a link to the page that is sorted by it. */
  private void column(StringBuilder out, Column column, String words, boolean sortable) {
    ListingOrder now = query.order();
    boolean sorted = now.column() == column;
    out.append(column == Column.SIZE ? "<th class=\"s\"" : "<th");
    if (sorted) {
      out.append(" aria-sort=\"").append(now.descending() ? "de" : "a").append("scending\"");
    }
    if (!sortable) {
      out.append(" title=\"").append(Refusal.TOO_MANY_TO_SORT.sentence()).append("\">");
      out.append(words).append("</th>");
      return;
    }
    // Of sizes and times the largest and the newest are looked for, of names the first.
    boolean descending = sorted ? !now.descending() : column != Column.NAME;
    out.append('>');
    link(out, query.in(new ListingOrder(column, descending)), words);
    out.append(!sorted ? "" : now.descending() ? " \u2193" : " \u2191").append("</th>");
  }

  private void crumbs(StringBuilder out, String path) {
    link(out, "/" + elsewhere, "root");
    out.append("<i>/</i>");
    for (int from = 1; from < path.length(); ) {
      int slash = path.indexOf('/', from);
      int end = slash < 0 ? path.length() : slash;
      out.append("<a href=\"").append(PercentCoding.encodePath(path.substring(0, end))).append('/');
      escape(out, elsewhere);
      out.append("\">");
      name(out, path.substring(from, end), "");
      out.append("</a><i>/</i>");
      from = end + 1;
    }
  }

  private static void link(StringBuilder out, String reference, String words) {
    out.append("<a href=\"");
    escape(out, reference);
    out.append("\">").append(words).append("</a>");
  }

  /** A name of any script, which does not turn what stands around it. */
  private static void name(StringBuilder out, String name, String behind) {
    out.append("<bdi>");
    escape(out, name);
    out.append("</bdi>").append(behind);
  }

  /** Text as it stands in HTML, in text and in quoted attributes, escaped for a person first. */
  static void escape(StringBuilder out, String text) {
    String shown = Printable.of(text);
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
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

  private static String sha256(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has it", impossible);
    }
  }
}
