package dev.upcall.httpd.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebRulesTest {
  private static String refusal(String text) {
    return WebRules.parse("web", text)
            instanceof Completion.Failed<WebRules>(Failure.Invalid(String why))
        ? why
        : "taken";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "field / A b | taken",
        "field / A \"b c\" | taken",
        "field / A \"\" | taken",
        "field / A \"b\tc\" | taken",
        "cors / GET * | taken",
        "cors / GET,PUT https://a.b http://[::1]:80 | taken",
        "charset / utf-8 | taken",
        "precompressed / text/* image/svg+xml | taken",
        "# nothing | taken",
        "~field /a A b~field /a B c~field /b A d | taken",
        "~headers / A b | web:2: a line begins with field, cors, charset, precompressed or digests, not"
            + " with \"headers\"",
        "field / A | web:1: field PATH NAME VALUE; a value with blanks stands between double quotes",
        "field / A b c | web:1: field PATH NAME VALUE; a value with blanks stands between double"
            + " quotes",
        "field / A: b | web:1: \"A:\" is no name of a field",
        "field / \"A B\" c | web:1: \"A B\" is no name of a field",
        "field x A b | web:1: x: a path inside a store begins with /",
        "field / Content-Length 5 | web:1: Content-Length is for the server to say",
        "field / vary x | web:1: vary is for the server to say",
        "field / Access-Control-Allow-Origin * | web:1: Access-Control-Allow-Origin is for the"
            + " server to say",
        "field / A ä | web:1: a value has up to 4,096 visible ASCII characters, with blanks between"
            + " them",
        "field / A \" b\" | web:1: a value has up to 4,096 visible ASCII characters, with blanks"
            + " between them",
        "field / A \"b | web:1: a quote is not closed",
        "field / A b~field / a c | web:2: field a of this path is said already",
        "cors / GET | web:1: cors PATH METHOD[,METHOD...] ORIGIN...",
        "cors / get * | web:1: the methods are DELETE, GET, HEAD, PATCH, POST, PUT, not \"get\"",
        "cors / GET, * | web:1: the methods are DELETE, GET, HEAD, PATCH, POST, PUT, not \"\"",
        "cors / GET https://a/ | web:1: an origin is such as https://example.org or"
            + " http://localhost:8000, in small letters and without a path, or * alone; not"
            + " \"https://a/\"",
        "cors / GET null | web:1: an origin is such as https://example.org or"
            + " http://localhost:8000, in small letters and without a path, or * alone; not \"null\"",
        "cors / GET * https://a | web:1: an origin is such as https://example.org or"
            + " http://localhost:8000, in small letters and without a path, or * alone; not \"*\"",
        "cors / none~cors / none | web:2: cors of this path is said already",
        "charset / | web:1: charset PATH NAME",
        "charset / \"a b\" | web:1: \"a b\" is no name of a charset",
        "precompressed / | web:1: precompressed PATH TYPE...",
        "precompressed / text | web:1: a media type is such as text/html or text/*, not \"text\"",
        "digests / sha-256 | taken",
        "digests / md5 | web:1: digests PATH sha-256",
        "precompressed / */* | web:1: a media type is such as text/html or text/*, not \"*/*\""
      })
  void lines(String text, String answer) {
    assertEquals(answer, refusal(text.replace('~', '\n')));
  }

  @Test
  void aFileIsReadWholeOrNotAtAll(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("web");
    Files.writeString(file, "charset / utf-8\r\n");
    assertEquals("text/css; charset=utf-8", WebRules.read(file).at("/a").withCharset("text/css"));
    Files.writeString(file, "\ncharset /\n");
    assertEquals(file + ":2: charset PATH NAME", failure(file).message());
    Files.write(file, new byte[] {(byte) 0xff});
    assertEquals(file + ": its text is not UTF-8", failure(file).message());
    Files.write(file, new byte[WebRules.MAX_BYTES + 1]);
    assertEquals(file + ": rules have at most 1,048,576 bytes", failure(file).message());
    assertTrue(failure(folder.resolve("none")) instanceof Failure.Device);
  }

  private static Failure failure(Path file) {
    return assertThrows(UpcallException.class, () -> WebRules.read(file)).failure();
  }

  /** However a text looks: no other exception, and no line that ends a line of a head. */
  @Test
  void nothingBreaksOutOfALine() {
    SplittableRandom random = new SplittableRandom(7);
    String[] words = {
      "field",
      "cors",
      "charset",
      "precompressed",
      " ",
      " ",
      " ",
      "/",
      "/a",
      "/a/b",
      "none",
      "*",
      "GET",
      ",",
      "https://a.b",
      "X-A",
      "utf-8",
      "text/*",
      "\"",
      "\\",
      "#",
      "\n",
      "\r",
      "\t",
      "é",
      "\0",
      ":",
      "q",
      "Content-Length",
      "\"\"",
      "\"b c\"",
      "A"
    };
    int taken = 0;
    for (int round = 0; round < 60_000; round++) {
      StringBuilder text = new StringBuilder();
      if (random.nextBoolean()) {
        text.append(random.nextBoolean() ? "field / " : "cors /a ");
      }
      for (int i = random.nextInt(9); i >= 0; i--) {
        text.append(words[random.nextInt(words.length)]);
      }
      if (WebRules.parse("web", text.toString())
          instanceof Completion.Done<WebRules>(WebRules rules)) {
        taken++;
        isClean(rules.at("/a/b"));
        isClean(rules.at("/"));
      }
    }
    int all = taken;
    assertTrue(all > 1000, () -> "only " + all + " were taken");
  }

  private static void isClean(WebSection section) {
    String lines =
        section.fieldLines(Set.of())
            + section.cors().map(cors -> cors.lines("GET", "https://a.b")).orElse("")
            + section.cors().map(cors -> cors.preflight("GET", "https://a.b", "")).orElse("");
    for (String line : lines.split("\r\n", -1)) {
      assertTrue(line.isEmpty() || line.matches("[!-9;-~]+: [!-~]([ \t!-~]*[!-~])?"), lines);
    }
    assertFalse(section.withCharset("text/a").matches(".*[\r\n].*"));
    section.isPrecompressed("text/html; charset=x");
    section.isPrecompressed("");
  }
}
