package dev.upcall.specweb.document;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A page that needs nothing else, by light and in the dark: one style sheet, and what all pages
 * have, tables and lists of facts. Texts are escaped, see {@link Markup}.
 */
public final class HtmlPage {
  private static final String STYLE =
      """
      :root { color-scheme: light dark; --text: #1c2126; --soft: #59636e; --line: #d5dbe1;
        --page: #ffffff; --band: #eef3f7; --bad: #a4262c; --good: #1d6f42; --open: #7a5b00;
        --c0: #1769aa; --c1: #b3541e; --c2: #0f8a7e; --c3: #8a3ea8; --c4: #6b7280; --c5: #b0264f; }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e4e8ec; --soft: #9aa5b0; --line: #3a424b; --page: #14181c;
          --band: #1e252c; --bad: #f1707b; --good: #6fcf97; --open: #e3c35a;
          --c0: #5fb0ee; --c1: #e8915c; --c2: #4fd1c5; --c3: #c48be0; --c4: #a6adb7; --c5: #f08aa6; } }
      body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--page);
        max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .4rem; }
      h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      caption { text-align: left; font-weight: 600; padding: .4rem 0; }
      th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
        white-space: nowrap; }
      th { color: var(--soft); font-weight: 500; vertical-align: bottom; }
      th:first-child, td:first-child, td.note { text-align: left; }
      td.note { white-space: normal; }
      .soft, dt { color: var(--soft); } .bad { color: var(--bad); }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
      dd { margin: 0; overflow-wrap: anywhere; }
      """;

  private final Markup page = new Markup();

  /**
   * Begins a page.
   *
   * @param title of the window
   * @param style rules of this page alone, which win over those of all
   */
  public HtmlPage(String title, String style) {
    page.line(
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>""",
        title, Markup.raw(STYLE + Plot.STYLE + style));
  }

  /** A line, of the form of {@link Markup#of}. */
  public void line(String format, Object... arguments) {
    page.line(format, arguments);
  }

  /** A list of facts by name. */
  public void facts(Map<String, String> facts) {
    line("<dl>");
    facts.forEach(this::fact);
    line("</dl>");
  }

  /** One fact inside of a list. */
  public void fact(String name, String value) {
    line("<dt>%s</dt><dd>%s</dd>", name, value);
  }

  /** Begins a table with its head. */
  public void beginTable(List<String> heads) {
    line("<div class=\"scroll\"><table>");
    heads(heads);
  }

  /** The same with a title. */
  public void beginTable(String caption, List<String> heads) {
    line("<div class=\"scroll\"><table><caption>%s</caption>", caption);
    heads(heads);
  }

  private void heads(List<String> heads) {
    page.add("<tr>");
    heads.forEach(head -> page.add("<th scope=\"col\">%s</th>", head));
    line("</tr>");
  }

  /**
   * A row of a table.
   *
   * @param cells texts, or what {@link #cell} made
   */
  public void row(List<?> cells) {
    page.add("<tr>");
    cells.forEach(cell -> page.add("%s", cell instanceof Markup ? cell : cell("", cell)));
    line("</tr>");
  }

  /** Ends a table. */
  public void endTable() {
    line("</table></div>");
  }

  /**
   * A cell of a row.
   *
   * @param style its classes; {@code note} is for texts
   * @param contents texts or markup; there will be blanks between
   */
  public static Markup cell(String style, Object... contents) {
    Markup cell = style.isEmpty() ? Markup.of("<td>") : Markup.of("<td class=\"%s\">", style);
    for (int i = 0; i < contents.length; i++) {
      cell.add(i == 0 ? "%s" : " %s", contents[i]);
    }
    return cell.add("</td>");
  }

  /** A figure with as many digits as mean something; a dash when it is unknown. */
  public static String show(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    if (value == Math.rint(value) && size < 1e9) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    String form = size >= 1_000 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f";
    return String.format(Locale.ROOT, form, value);
  }

  /** Ends the page. */
  public String end() {
    return page.line("</body>\n</html>").toString();
  }
}
