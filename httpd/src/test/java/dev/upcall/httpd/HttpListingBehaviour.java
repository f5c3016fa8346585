package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.upcall.FileInfo;
import dev.upcall.completion.Failure;
import dev.upcall.house.Golden;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.message.PercentCoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pages about directories, for people and for programs, by whichever server.
 *
 * @param <W> the server
 */
abstract class HttpListingBehaviour<W extends HttpWorld> extends HttpBehaviour<W> {
  static final String END = " HTTP/1.1\r\nHost: a\r\n\r\n";
  static final String JSON = " HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n";

  private void fill() {
    world.site().directory("/dir & <co>");
    world.site().directory("/dir & <co>/sub");
    world.site().file("/dir & <co>/a.txt", "abc");
    world.site().file("/dir & <co>/b \"c\" 100%.bin", "x".repeat(1_234_567));
    world.site().file("/dir & <co>/javascript:alert(1)", "");
    world.site().file("/dir & <co>/é\u202etxt.exe", "");
    world.site().link("/dir & <co>/z", "/dir & <co>/sub");
    world.site().link("/dir & <co>/z2", "/no <where>");
  }

  @Test
  void thePageForPeople() {
    fill();
    Response page = one("GET /dir%20%26%20%3Cco%3E/" + END);
    assertEquals("text/html; charset=utf-8", page.header("Content-Type"));
    assertEquals("Accept", page.header("Vary"));
    assertEquals("nosniff", page.header("X-Content-Type-Options"));
    String policy = page.header("Content-Security-Policy");
    assertTrue(policy.startsWith("default-src 'none'; style-src 'sha256-"), policy);
    Golden.checkText("listing.html", page.text());
    world.site().directory("/empty");
    assertTrue(one("GET /empty/" + END).text().contains("This directory is empty."));
    assertTrue(one("GET /empty/?after=x" + END).text().contains("Nothing more."));
  }

  @Test
  void thePageForPrograms() {
    fill();
    Response page = one("GET /dir%20%26%20%3Cco%3E/?limit=7" + JSON);
    assertEquals("application/json", page.header("Content-Type"));
    assertEquals("Accept", page.header("Vary"));
    assertEquals("nosniff", page.header("X-Content-Type-Options"));
    Golden.checkText("listing.json", page.text());
  }

  @Test
  void headsHaveTheHeadersOfPages() {
    fill();
    assertEquals(undated(one("GET /" + JSON)), undated(one("HEAD /" + JSON)));
    assertEquals(undated(one("GET /" + END)), undated(one("HEAD /" + END)));
    assertEquals(0, one("HEAD /" + JSON).body().length);
    assertEquals(404, one("HEAD /missing/" + JSON).status());
  }

  @ParameterizedTest
  @MethodSource("failuresOfALinkThatLeadsNowhere")
  void directory_whoseIndexIsALinkThatLeadsNowhere_isListed(Failure failure) {
    world.site().directory("/d");
    world.site().file("/d/other", "abc");
    world.site().openFailure = failure;
    world.site().openFails = path -> path.endsWith("/index.html");
    Response page = one("GET /d/" + END);
    assertEquals(200, page.status());
    assertTrue(page.text().contains("<a href=\"other\">"), page::text);
    assertEquals(404, one("GET /d/index.html" + END).status(), "asked for by its name");
    assertEquals(404, one("GET /d/other/" + END).status(), "a file with a slash is none");
    assertEquals(404, one("GET /missing/" + END).status());
  }

  static List<Failure> failuresOfALinkThatLeadsNowhere() {
    return List.of(
        new Failure.NotFound("/d/index.html"),
        new Failure.LinkLoop("/d/index.html"),
        new Failure.NotADirectory("/d/index.html"));
  }

  @Test
  void page_ofFilesBefore1970_tellsTheirTimes() {
    world.site().modifiedSeconds = -86_400;
    world.site().directory("/d");
    world.site().file("/d/old", "abc");
    String page = one("GET /d/" + END).text();
    assertTrue(page.contains("1969-12-31 00:00"), page);
    String json = one("GET /d/" + JSON).text();
    assertTrue(json.contains("\"modified\":\"1969-12-31T00:00:03Z\""), json);
  }

  @Test
  void programsGetNoIndexPage() {
    world.site().directory("/d");
    world.site().file("/d/index.html", "index");
    world.site().file("/f", "x");
    Response index = one("GET /d/" + END);
    assertEquals("index", index.text());
    assertEquals("Accept", index.header("Vary"));
    assertNull(one("GET /d/index.html" + END).header("Vary"));
    assertTrue(one("GET /d/" + JSON).text().contains("\"name\":\"index.html\""));
    assertEquals("/d/", one("GET /d" + JSON).header("Location"));
    assertEquals(404, one("GET /missing/" + JSON).status());
    assertEquals(404, one("GET /f/" + JSON).status());
    assertEquals("x", one("GET /f" + JSON).text());
  }

  @Test
  void whatCannotBeMeantIsTold() {
    world.site().directory("/d");
    List<String> wrong =
        List.of(
            "limit=0",
            "limit=x",
            "limit=1&limit=1",
            "after=%ff",
            "after=%2F",
            "after=a&after=b",
            "after=a&before=b",
            "before=%ff",
            "sort=",
            "sort=Size",
            "sort=%ff",
            "order=up",
            "order=",
            "sort=size&after=a",
            "sort=size&after=:a",
            "sort=size&after=1:",
            "sort=size&after=+1:a",
            "sort=size&after=%2B1:a",
            "sort=size&after=1x:a",
            "sort=modified&before=99999999999999999999:a");
    for (String query : wrong) {
      assertEquals(400, one("GET /d/?" + query + END).status(), query);
      assertEquals(400, one("GET /d/?" + query + JSON).status(), query);
    }
    String condition = " HTTP/1.1\r\nHost: a\r\nIf-Match: ";
    assertEquals(412, one("GET /d/" + condition + "\"1-1\"\r\n\r\n").status());
    assertEquals(200, one("GET /d/" + condition + "*\r\n\r\n").status());
    assertEquals(200, one("GET /d/ HTTP/1.1\r\nHost: a\r\nRange: bytes=0-1\r\n\r\n").status());
  }

  @Test
  void failuresBeforeAndBehindTheFirstPiece() {
    world.site().directory("/d");
    for (int i = 0; i < 200; i++) {
      world.site().file("/d/f" + i, "");
    }
    world.site().listFails = after -> after.isEmpty();
    assertEquals(500, one("GET /d/" + JSON).status());
    world.site().listFails = after -> !after.isEmpty();
    isCut(200, "GET /d/" + JSON);
  }

  private static final String[] ORDERS = {
    "?", "?order=desc", "?sort=size", "?sort=size&order=desc", "?sort=modified&order=desc"
  };

  /** A directory of files whose sizes and times are in no order, some of them alike. */
  private List<FileInfo> fillForSorting(int entries) {
    world.site().directory("/d");
    SplittableRandom random = new SplittableRandom(4);
    List<FileInfo> made = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      String path = "/d/%c%03d:%%".formatted("azé".charAt(random.nextInt(3)), i);
      made.add(
          switch (random.nextInt(10)) {
            case 0 -> world.site().directory(path);
            case 1 -> world.site().link(path, "/d");
            default -> world.site().file(path, "x".repeat(random.nextInt(12)));
          });
    }
    return made;
  }

  private static List<String> sorted(List<FileInfo> entries, String order) {
    Comparator<FileInfo> byName = Comparator.comparing(FileInfo::name);
    Comparator<FileInfo> by =
        order.contains("size")
            ? Comparator.comparingLong((FileInfo one) -> one.isFile() ? one.sizeBytes() : -1)
                .thenComparing(byName)
            : order.contains("modified")
                ? Comparator.comparingLong((FileInfo one) -> one.times().modifiedNanos())
                    .thenComparing(byName)
                : byName;
    return entries.stream()
        .sorted(order.contains("desc") ? by.reversed() : by)
        .map(FileInfo::name)
        .toList();
  }

  /**
   * What a page that is sorted holds counts as sent, and whoever holds it needs nobody to go on.
   */
  @Test
  void sortedPagesWaitForTheMemoryThatTheyHold() {
    world.close();
    world = newWorld(config().withMaxLeasedBytes(1000));
    List<FileInfo> made = fillForSorting(150);
    String sorted = "GET /d/?sort=size" + END;
    for (Response page : world.exchange(sorted + "GET /d/" + END + sorted)) {
      assertEquals(200, page.status());
      made.forEach(
          entry -> assertTrue(page.text().contains(PercentCoding.encodeName(entry.name()))));
    }
  }

  /** Entries on the pages that are walked. */
  int[] pageSizes() {
    return new int[] {1, 7, 64, 65, 149, 150, 1000};
  }

  /** Forward by what says "next", and back from the end by what says "previous". */
  @Test
  void eachOrderIsWalkedBothWays() throws IOException {
    List<FileInfo> made = fillForSorting(150);
    for (String order : ORDERS) {
      List<String> expected = sorted(made, order);
      for (int limit : pageSizes()) {
        List<String> seen = new ArrayList<>();
        Map<String, List<String>> page = null;
        for (String at = order + "&limit=" + limit; at != null; at = page.get("next").getFirst()) {
          page = parsePage(one("GET /d/" + at + JSON).text());
          String total = seen.isEmpty() || order.contains("sort") ? "150" : null;
          assertEquals(total, page.get("total").getFirst(), at);
          assertEquals(seen.isEmpty(), page.get("previous").getFirst() == null, at);
          seen.addAll(page.get("name"));
        }
        assertEquals(expected, seen, order + limit);
        List<String> back = new ArrayList<>();
        for (String at = order + "&before=&limit=" + limit;
            at != null;
            at = page.get("previous").getFirst()) {
          page = parsePage(one("GET /d/" + at + JSON).text());
          assertEquals(back.isEmpty(), page.get("next").getFirst() == null, at);
          List<String> names = page.get("name");
          assertEquals(Math.min(limit, 150 - back.size()), names.size(), at);
          back.addAll(0, names);
        }
        assertEquals(expected, back, order + limit);
      }
    }
  }

  @Test
  void entriesThatCannotBeRead_areNamedBesideTheOthers() throws IOException {
    world.site().directory("/d");
    List.of("a", "b", "c", "d").forEach(name -> world.site().file("/d/" + name, name));
    world.site().unreadable.addAll(List.of("b", "d"));
    String json = one("GET /d/" + JSON).text();
    assertTrue(json.contains("\n{\"name\":\"b\",\"kind\":\"unreadable\"},\n"), json);
    assertTrue(json.contains("\n{\"name\":\"d\",\"kind\":\"unreadable\"}\n],\"total\":4,"), json);
    String html = one("GET /d/" + END).text();
    assertTrue(html.contains("<td><bdi>b</bdi> <small>(cannot be read)</small></td>"), html);
    assertTrue(html.contains("<a href=\"c\">"), html);
    assertFalse(html.contains("<a href=\"b\">"), html);
    for (String order : ORDERS) {
      List<String> seen = new ArrayList<>();
      Map<String, List<String>> page;
      for (String at = order + "&limit=1"; at != null; at = page.get("next").getFirst()) {
        page = parsePage(one("GET /d/" + at + JSON).text());
        seen.addAll(page.get("name"));
      }
      String expected =
          switch (order) {
            case "?order=desc" -> "dcba";
            case "?sort=size" -> "bdac";
            case "?sort=size&order=desc", "?sort=modified&order=desc" -> "cadb";
            default -> "abcd";
          };
      assertEquals(expected, String.join("", seen), order);
    }
  }

  @Test
  void placesThatAreGoneAndPagesBeyondTheEnd() throws IOException {
    world.site().directory("/d");
    List.of("b", "d", "f").forEach(name -> world.site().file("/d/" + name, name));
    for (String order : new String[] {"?", "?sort=size&"}) {
      String value = order.equals("?") ? "" : "1:";
      Map<String, List<String>> page =
          parsePage(one("GET /d/" + order + "after=" + value + "c&limit=1" + JSON).text());
      assertEquals(List.of("d"), page.get("name"));
      assertEquals(
          order + "before=" + escaped(value) + "d&limit=1", page.get("previous").getFirst());
      assertEquals(order + "after=" + escaped(value) + "d&limit=1", page.get("next").getFirst());
      page = parsePage(one("GET /d/" + order + "after=" + value + "x" + JSON).text());
      assertEquals(List.of(), page.get("name"));
      assertEquals(order + "before=", page.get("previous").getFirst());
      assertNull(page.get("next").getFirst());
      page = parsePage(one("GET /d/" + order + "before=" + value + "a" + JSON).text());
      assertEquals(List.of(), page.get("name"));
      assertEquals(order.equals("?") ? "./" : "?sort=size", page.get("next").getFirst());
    }
  }

  private static String escaped(String value) {
    return value.replace(":", "%3A");
  }

  @Test
  void largeDirectoriesAreSortedByNameOnly() {
    world.site().crowd("/some", HttpConfig.MAX_LISTING_ENTRIES);
    world.site().crowd("/many", HttpConfig.MAX_LISTING_ENTRIES + 1);
    world.site().crowd("/most", 250_001);
    assertEquals(200, one("GET /some/?sort=size&order=desc&limit=3" + JSON).status());
    Response refused = one("GET /many/?sort=size" + END);
    assertEquals(400, refused.status());
    assertEquals(
        "a directory of more than 10,000 entries is sorted by name only\n", refused.text());
    String some = one("GET /some/?limit=1" + END).text();
    assertTrue(some.contains("<nav><span>10,000 entries</span></nav>"), some);
    assertTrue(some.contains("<a href=\"?sort=size&amp;order=desc&amp;limit=1\">Size</a>"), some);
    String many = one("GET /many/?after=n0000007&limit=2" + END).text();
    assertTrue(many.contains("<nav><span>10,001 entries</span>"), many);
    assertTrue(many.contains("<a href=\"?limit=2\">First page</a>"), many);
    assertTrue(many.contains("<a href=\"?before=n0000008&amp;limit=2\">Previous page</a>"), many);
    assertTrue(many.contains("<a href=\"?before=&amp;limit=2\">Last page</a>"), many);
    assertTrue(many.contains("<a href=\"?order=desc&amp;limit=2\">Name</a>"), many);
    assertFalse(many.contains("sort=size"), many);
    String most = one("GET /most/?before=&limit=2" + END).text();
    assertTrue(most.contains("<span>More than 250,000 entries</span>"), most);
    assertTrue(most.contains("n0249999") && most.contains("n0250000"), most);
    assertFalse(most.contains("Next page"), most);
  }

  @Test
  void aPageThatIsSortedSaysSo() {
    fill();
    String page = one("GET /dir%20%26%20%3Cco%3E/?sort=size&order=desc" + END).text();
    assertTrue(page.contains("<th class=\"s\" aria-sort=\"descending\">"), page);
    assertTrue(page.contains("<a href=\"?sort=size\">Size</a> \u2193</th>"), page);
    assertTrue(page.contains("<th><a href=\"./\">Name</a></th>"), page);
    assertTrue(page.indexOf("b &quot;c&quot;") < page.indexOf("a.txt"), page);
  }

  /** All names come once and in order, whatever is in them and however small the pages. */
  @Test
  void hostileNamesSurviveThePages() throws IOException {
    world.site().directory("/d");
    SplittableRandom random = new SplittableRandom(9);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      StringBuilder name = new StringBuilder();
      int length = 1 + random.nextInt(20);
      for (int j = 0; j < length; j++) {
        int code = 1 + random.nextInt(random.nextInt(4) == 0 ? 0x2ffff : 127);
        name.appendCodePoint(code == '/' || (code >= 0xd800 && code <= 0xdfff) ? '"' : code);
      }
      String text = name + "!";
      if (!names.contains(text)) {
        names.add(text);
        world.site().file("/d/" + text, "");
      }
    }
    List<String> seen = new ArrayList<>();
    for (String next = "?limit=7"; next != null; ) {
      Map<String, List<String>> page = parsePage(one("GET /d/" + next + JSON).text());
      seen.addAll(page.get("name"));
      next = page.get("next").getFirst();
    }
    assertEquals(names.stream().sorted().toList(), seen);
    String html = one("GET /d/" + END).text();
    assertFalse(html.contains("<script"));
    for (String name : names) {
      assertTrue(html.contains("href=\"" + PercentCoding.encodeName(name) + "\""));
    }
    assertEquals(names.size(), html.split("<tr><td><a href=").length - 1);
  }

  static List<String> parse(String json) throws IOException {
    return parsePage(json).get("name");
  }

  /** The names and the next page; fails where the text is not JSON. */
  private static Map<String, List<String>> parsePage(String json) throws IOException {
    Map<String, List<String>> page = new LinkedHashMap<>();
    page.put("name", new ArrayList<>());
    page.put("total", new ArrayList<>());
    page.put("previous", new ArrayList<>());
    page.put("next", new ArrayList<>());
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME && page.containsKey(parser.currentName())) {
          List<String> values = page.get(parser.currentName());
          values.add(parser.nextToken() == JsonToken.VALUE_NULL ? null : parser.getText());
        }
      }
    }
    assertNotNull(page.get("next"));
    return page;
  }
}
