package dev.upcall.specweb.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.client.Target;
import dev.upcall.specweb.client.Transport;
import dev.upcall.specweb.document.JsonTree;
import dev.upcall.specweb.draw.FileWeights;
import dev.upcall.specweb.draw.Mix;
import dev.upcall.specweb.draw.Popularity;
import dev.upcall.specweb.load.Behaviour;
import dev.upcall.specweb.load.Fault;
import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Mode;
import dev.upcall.specweb.load.Reading;
import dev.upcall.specweb.run.Cost;
import dev.upcall.specweb.run.Phases;
import dev.upcall.specweb.run.PointResult;
import dev.upcall.specweb.run.Rules;
import dev.upcall.specweb.run.TestSetup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The report's JSON has the form of its schema, and the page says what the JSON says. */
class ReportTest {
  private static final int SECONDS = 10;

  private static PointResult point(
      double requested, double achieved, Map<Fault, Reading.Faults> faults) {
    long count = (long) (achieved * SECONDS);
    Histogram response = new Histogram(1_000, 3_600_000_000_000L, 3);
    response.recordValueWithCount(2_000_000, count);
    response.recordValue(90_000_000);
    Reading reading =
        new Reading(
            new Reading.Operations(count, count * 14_566, count * 0.0015, count * 0.0005),
            new Reading.Flow(
                SECONDS, count, count * 0.0015, achieved * (requested == 200 ? 0.0016 : 0.0015)),
            List.of(count * 35 / 100, count * 50 / 100, count * 14 / 100, count / 100),
            faults,
            response);
    LoadPoint load =
        requested > 0 ? new LoadPoint(Mode.SPEC, requested, 64) : new LoadPoint(Mode.CLOSED, 0, 64);
    return new PointResult(
        load, reading, new Cost(requested == 1_000 ? 9.5 : 1.5, 2.5, 12), count, 1, true);
  }

  private static TestResult result(List<PointResult> points, Map<String, String> notes) {
    TestSetup setup =
        new TestSetup(
            Target.of("http://127.0.0.1:8080/"),
            new ClientConfig(1, 64, 10_000_000_000L, 2_000_000_000, List.of()),
            new Behaviour(
                new Mix(new FileSet(100), FileWeights.POISSON5, Popularity.UNIFORM), 0, 20_000),
            96,
            new TestSetup.Machinery(Transport.NIO, 1, List.of(1L)));
    TestResult.Names names =
        new TestResult.Names("spec96", "spec", "quick", Rules.STRICT, "nginx/1.22.1", notes);
    return new TestResult(setup, new Phases(5, SECONDS), names, points, true);
  }

  private static List<PointResult> tenPoints() {
    return IntStream.rangeClosed(1, 10)
        .mapToObj(i -> point(100 * i, 100 * i - (i == 10 ? 100 : 0), Map.of()))
        .toList();
  }

  private static String json(TestResult result) throws IOException, InterruptedException {
    return ReportJson.of(result);
  }

  @Test
  void jsonHasTheFormOfItsSchema() throws IOException, InterruptedException {
    for (List<PointResult> points :
        List.of(tenPoints(), List.of(point(0, 500, Map.of())), List.<PointResult>of())) {
      JsonTree document = JsonTree.parse(json(result(points, Map.of("vendor", "me"))));
      assertEquals(List.of(), SchemaCheck.problems(SchemaCheck.schema(), document));
    }
  }

  @Test
  void theSchemaCanFail() throws IOException, InterruptedException {
    String good = json(result(tenPoints(), Map.of()));
    for (String bad :
        List.of(
            good.replace("\"valid\" : true", "\"valid\" : 1"),
            good.replace("\"notice\"", "\"remark\""),
            good.replace("\"mode\" : \"spec\"", "\"mode\" : \"guess\""),
            good.replace("\"workers\" : 64", "\"workers\" : -64"),
            good.replace("\"workers\" : 64,", ""),
            good.replace("\"errors\" : 0", "\"errors\" : 0.5"),
            good.replace("\"version\" : 1", "\"version\" : 2"))) {
      assertFalse(bad.equals(good), "the document was changed");
      List<String> problems = SchemaCheck.problems(SchemaCheck.schema(), JsonTree.parse(bad));
      assertFalse(problems.isEmpty(), bad);
    }
  }

  @Test
  void metricIsTheBestValidPoint() throws IOException, InterruptedException {
    TestResult result = result(tenPoints(), Map.of());
    JsonTree report = JsonTree.parse(json(result));
    assertTrue(report.get("valid").isTrue());
    // The tenth was saturated: 900 of 1,000. The ninth reached 900, too.
    assertEquals(900, report.get("opsPerSecond").number());
    assertTrue(report.get("points").elements().getLast().get("saturated").isTrue());
    assertFalse(report.get("points").elements().getFirst().get("saturated").isTrue());
  }

  @Test
  void oneErrorMakesTheRunInvalid() throws IOException, InterruptedException {
    PointResult broken =
        point(200, 200, Map.of(Fault.CONTENT, new Reading.Faults(1, "/file_set/a: byte 7")));
    TestResult result = result(List.of(point(100, 100, Map.of()), broken), Map.of());
    JsonTree report = JsonTree.parse(json(result));
    assertFalse(report.get("valid").isTrue());
    assertEquals(100, report.get("opsPerSecond").number());
    assertFalse(report.get("points").elements().getLast().get("valid").isTrue());
    String page = ReportPage.of(json(result));
    assertTrue(page.contains("INVALID"), page);
    assertTrue(page.contains("1 x content (/file_set/a: byte 7)"), page);
  }

  @Test
  void runWithoutValidPointHasNoMetric() throws IOException, InterruptedException {
    TestResult stopped =
        new TestResult(
            result(List.of(), Map.of()).setup(),
            new Phases(1, 1),
            result(List.of(), Map.of()).names(),
            List.of(),
            false);
    JsonTree report = JsonTree.parse(json(stopped));
    assertFalse(report.get("opsPerSecond").isThere());
    assertFalse(report.get("valid").isTrue());
    assertTrue(ReportPage.of(json(stopped)).contains("STOPPED before its end"));
  }

  @Test
  void pageSaysWhatTheJsonSays() throws IOException, InterruptedException {
    String page = ReportPage.of(json(result(tenPoints(), Map.of("cache budget", "200 MiB"))));
    for (String expected :
        List.of(
            "900 ops/s, SPECweb96-style",
            "profile quick",
            "nginx/1.22.1",
            "poisson5",
            "<dt>time wait seconds</dt><dd>60</dd>",
            "cache budget",
            "200 MiB",
            "Hardware",
            "35.0 / 50.0 / 14.0 / 1.0",
            "saturated generator busy</td>",
            "not steady</td>",
            "99th percentile",
            "all points valid")) {
      assertTrue(page.contains(expected), "missing: " + expected);
    }
    assertEquals(10, Pattern.compile("<title>mean: ").matcher(page).results().count());
  }

  @Test
  void pageNeedsNothingElseAndHidesNothing() throws IOException, InterruptedException {
    String page =
        ReportPage.of(json(result(tenPoints(), Map.of("<b>", "<script>alert(1)</script>\""))));
    for (String outside : List.of("<script", "<link", "src=", "url(", "@import", "href=")) {
      assertFalse(page.contains(outside), outside);
    }
    assertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;"), page);
    // The name stands only in what it is like, and in what it is not.
    Pattern claim = Pattern.compile("SPECweb96(?!-style| result and must not)");
    assertFalse(claim.matcher(page).find(), page);
    assertTrue(page.contains("non-compliant"), page);
  }

  @Test
  void otherDocumentsAreRefused() {
    for (String other :
        List.of("{}", "[]", "7", "", "{", "{} {}", "{\"kind\":\"upcall-specweb\",\"version\":2}")) {
      assertThrows(IOException.class, () -> ReportPage.of(other), other);
    }
    assertThrows(IOException.class, () -> ReportPage.of("[".repeat(100) + "]".repeat(100)));
  }
}
