package dev.upcall.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.upcall.bench.fsm.FsmReportRun;
import dev.upcall.specweb.document.Plot;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportPagesTest {
  @TempDir Path folder;

  private static StudyReport report() {
    Sweep sweep =
        Made.sweep(
            "warm-1",
            List.of(
                Made.line("a <side>", List.of(1, 5, 50), load -> 1000.0 + load),
                Made.line("another", List.of(1, 5), _ -> 800)));
    Section measured =
        new Section(
            "1. First",
            "How & why",
            List.of(
                new Claim("X-1", "they said \"so\"", Verdict.FAILS, "it is not so"),
                Claim.undecided("X-2", "and so", "nobody knows")),
            List.of(sweep),
            List.of(chart()),
            List.of(new Grid("a table", List.of("", "n"), List.of(List.of("row", "1.5")))),
            List.of("a note"));
    return new StudyReport(
        FsmReportRun.COVER,
        Map.of("kernel", "Linux <6>"),
        List.of(measured, Section.leftOut("2. Second", "there is none.")));
  }

  private static Chart chart() {
    return new Chart(
        "filled",
        "How full",
        Plot.Scale.linear("operations"),
        Plot.Scale.linear("part"),
        List.of(new Plot.Series("a line", List.of(new Plot.Point(200, 0.5)))));
  }

  private static Document parse(String page) throws Exception {
    String body = page.substring(page.indexOf("<body>"), page.indexOf("</html>"));
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(body)));
  }

  @Test
  void thePageIsWellFormedAndHidesNothing() throws Exception {
    String page = ReportHtml.of(report());
    for (String outside : List.of("<script", "<link", "src=", "url(", "@import", "href=", "http")) {
      assertFalse(page.contains(outside), outside);
    }
    assertTrue(page.contains("prefers-color-scheme: dark"));
    Document parsed = parse(page);
    assertEquals("Linux <6>", parsed.getElementsByTagName("dd").item(0).getTextContent());
    NodeList drawings = parsed.getElementsByTagName("svg");
    List<String> loads = List.of("in flight", "in flight", "operations");
    assertEquals(loads.size(), drawings.getLength());
    for (int i = 0; i < drawings.getLength(); i++) {
      assertTrue(((Element) drawings.item(i)).getAttribute("aria-label").contains(loads.get(i)));
    }
    assertTrue(page.contains("<title>a line: 0.50 at 200</title>"), page);
    assertTrue(page.contains("class=\"verdict fails\">fails<"), page);
    assertTrue(page.contains("class=\"verdict undecided\">undecided<"), page);
    assertTrue(page.contains("This experiment was left out: there is none."), page);
    assertTrue(page.contains("<caption>a table</caption>"), page);
    assertTrue(page.contains("<title>another: 800 at 5</title>"), page);
  }

  @Test
  void programsGetEverySample() throws Exception {
    Map<String, Integer> fields = new HashMap<>();
    try (JsonParser json = new JsonFactory().createParser(ReportJson.of(report()))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          fields.merge(json.currentName(), 1, Integer::sum);
        }
      }
    }
    assertEquals(2, fields.get("notes"));
    assertEquals(2, fields.get("verdict"));
    assertEquals(5, fields.get("side"));
    assertEquals(15, fields.get("meanMicros"), "three samples of five points");
    assertEquals(15, fields.get("context switches"));
    assertEquals(1, fields.get("label"), "one line of one chart");
  }

  @Test
  void filesAreWrittenWhole() throws Exception {
    Path html = folder.resolve("r.html");
    Path json = folder.resolve("r.json");
    Files.writeString(html, "old");
    report().write(html, json);
    assertTrue(Files.readString(html).endsWith("</html>\n"));
    assertTrue(Files.readString(json).startsWith("{"));
    try (var left = Files.list(folder)) {
      assertEquals(2, left.count());
    }
  }
}
