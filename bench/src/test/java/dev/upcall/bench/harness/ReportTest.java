package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.StringReader;
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
    assertFalse(fields.containsKey("p50Micros"), "what is not known is left out");
    assertEquals(0.45, ratio, 1e-9);
  }
}
