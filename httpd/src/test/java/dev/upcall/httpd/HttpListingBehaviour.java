package dev.upcall.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.upcall.house.Golden;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.message.PercentCoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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
    assertEquals(one("GET /" + JSON).headers(), one("HEAD /" + JSON).headers());
    assertEquals(one("GET /" + END).headers(), one("HEAD /" + END).headers());
    assertEquals(0, one("HEAD /" + JSON).body().length);
    assertEquals(404, one("HEAD /missing/" + JSON).status());
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
    for (String query : List.of("limit=0", "limit=x", "after=%ff", "after=%2F")) {
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
    Response cut = world.exchange("GET /d/" + JSON).getFirst();
    assertEquals(200, cut.status());
    assertFalse(cut.complete());
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
