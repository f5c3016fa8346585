package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ReportTest {
  private static final Map<String, String> MACHINE = Map.of("kernel", "Linux <6> & \"more\"");

  private static Outcome.Row row(String name, Role role, double... units) {
    List<Sample> samples =
        java.util.Arrays.stream(units).mapToObj(count -> Sample.of(count, 1, 0.5)).toList();
    return new Outcome.Row(new Entrant(name, role, _ -> null), Outcome.Fate.MEASURED, samples, "");
  }

  private static List<Outcome> outcomes() {
    Outcome.Row missing =
        new Outcome.Row(
            new Entrant("fio", Role.PEER, _ -> null),
            Outcome.Fate.MISSING,
            List.of(),
            "apt-get install fio");
    return List.of(
        new Outcome(
            new Comparison("reads", "a < b", Figure.perSecond("reads").aimingAt(0.85), List.of()),
            List.of(
                row("upcall", Role.OURS, 80, 100, 90),
                missing,
                row("other", Role.PEER, 200),
                row("seam", Role.CEILING, 300))));
  }

  /** Two comparisons that draw a line together, with the latencies of each step. */
  private static List<Outcome> drawn() {
    List<Outcome> outcomes = new ArrayList<>();
    for (int connections : new int[] {10, 1000}) {
      Course course = new Course(List.of(7L, 9L, 1L), new Timeline(10, List.of(1500L, 0L, 2000L)));
      Sample sample = new Sample(2.0 * connections, 2, 4, Latencies.NONE, course);
      Entrant entrant = new Entrant("a < b", Role.OURS, _ -> null);
      outcomes.add(
          new Outcome(
              new Comparison("web", "a title", Figure.perCpuSecond("requests"), List.of())
                  .in(Curve.at("by load", "connections", connections, List.of(entrant))),
              List.of(new Outcome.Row(entrant, Outcome.Fate.MEASURED, List.of(sample), ""))));
    }
    return outcomes;
  }

  @Test
  void comparisonsDrawTogether() {
    String page = HtmlReport.page(MACHINE, drawn());
    assertEquals(2, parts(page, "longest of each 10 ms, ms"));
    assertEquals(2, parts(page, "class=\"dots\" d=\"M"));
    assertEquals(2, parts(page, "requests of each second"));
    assertEquals(2, parts(page, "<title>a &lt; b: 9 at 2</title>"));
    assertEquals(1, parts(page, "<h3>by load: requests/CPU s</h3>"));
    assertEquals(1, parts(page, "<h3>by load: requests/s</h3>"));
    assertEquals(1, parts(page, "<title>a &lt; b: 5 at 10</title>"));
    assertEquals(1, parts(page, "<title>a &lt; b: 500 at 1,000</title>"));
    assertEquals(1, parts(page, "<title>a &lt; b: 1,000 at 1,000</title>"));

    String json = JsonReport.of(MACHINE, drawn());
    assertEquals(2, parts(json, "\"plots\"") + parts(json, "\"number\" : \"requests/s\""));
    assertEquals(2, parts(json, "\"peaksMicros\" : [ 1500, 0, 2000 ]"));
    assertEquals(2, parts(json, "\"unitsOfEachSecond\" : [ 7, 9, 1 ]"));
    assertTrue(json.contains("\"median\" : 500"), json);
  }

  private static int parts(String text, String part) {
    return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
  }

  @Test
  void thePageIsWellFormedAndCarriesItsFigures() throws Exception {
    String page = HtmlReport.page(MACHINE, outcomes());
    assertTrue(page.contains("prefers-color-scheme: dark"));
    assertTrue(page.contains("apt-get install fio"));
    assertFalse(page.contains("http://"), "the page needs nothing else");

    String body = page.substring(page.indexOf("<body>"), page.indexOf("</html>"));
    Document parsed =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(body)));
    assertEquals("Linux <6> & \"more\"", text(parsed, "dd", 0));
    assertEquals("reads: a < b", text(parsed, "h2", 0));
    assertEquals(3, parsed.getElementsByTagName("svg").getLength());
    Element ours = (Element) parsed.getElementsByTagName("rect").item(0);
    Element ceiling = (Element) parsed.getElementsByTagName("rect").item(2);
    assertEquals("ours", ours.getAttribute("class"));
    assertEquals(
        0.3,
        Double.parseDouble(ours.getAttribute("width"))
            / Double.parseDouble(ceiling.getAttribute("width")),
        0.01);
    assertEquals("0.45", text(parsed, "td", 3));
    assertEquals(
        "Aim MISSED: reads/s of upcall: at least 0.85 times other, is 0.45 (90.0 beside 200)",
        text(parsed, "li", 0));
  }

  private static String text(Document parsed, String tag, int place) {
    return parsed.getElementsByTagName(tag).item(place).getTextContent();
  }

  @Test
  void programsGetEverySample() throws Exception {
    Map<String, Integer> fields = new HashMap<>();
    double ratio = Double.NaN;
    try (JsonParser json = new JsonFactory().createParser(JsonReport.of(MACHINE, outcomes()))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          fields.merge(json.currentName(), 1, Integer::sum);
        } else if ("ratio".equals(json.currentName()) && Double.isNaN(ratio)) {
          ratio = json.getDoubleValue();
        }
      }
    }
    assertEquals(5, fields.get("cpuSeconds"));
    assertEquals(4, fields.get("fate"));
    assertEquals(1, fields.get("aim"));
    assertEquals(1, fields.get("held"));
    assertFalse(fields.containsKey("p50Micros"), "what is not known is left out");
    assertEquals(0.45, ratio, 1e-9);
  }
}
