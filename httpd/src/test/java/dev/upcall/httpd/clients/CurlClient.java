package dev.upcall.httpd.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** curl: logins of both kinds, ranges, downloads and uploads that are taken up again. */
final class CurlClient implements NetworkClient {
  private static final Pattern LOCATION = Pattern.compile("(?im)^location: (\\S+)");
  private static final Pattern OFFSET = Pattern.compile("(?im)^upload-offset: (\\d+)");
  private static final String BEARER = "Authorization: Bearer " + ServedStore.SECRET;

  /** Nothing of this machine's settings counts; the first option says so of its file. */
  private static final List<String> CURL = List.of("-q", "-sS", "--noproxy", "*");

  /** The exit code for a server whose certificate nobody has signed that curl trusts. */
  private static final int UNTRUSTED = 60;

  @Override
  public String program() {
    return "curl";
  }

  @Override
  public void talk(ServedStore server) throws Exception {
    Tool curl = new Tool(Tool.find(program()).orElseThrow(), server.folder());
    reads(curl, server);
    readsParts(curl, server);
    logsIn(curl, server);
    uploadsInParts(curl, server);
  }

  /** Without a certificate to trust. */
  private static Tool.Outcome untrusting(Tool curl, ServedStore server) throws Exception {
    List<String> all = new ArrayList<>(CURL);
    all.add(server.url("/open/hello.txt"));
    return curl.run(Map.of(), "", all);
  }

  /** The status of the answer, which curl puts into the file {@code got}. */
  private static String status(Tool curl, ServedStore server, String path, String... more)
      throws Exception {
    List<String> all = new ArrayList<>(CURL);
    all.addAll(List.of("-o", "got", "-w", "%{http_code}"));
    all.addAll(List.of("--cacert", server.certificates().authority().toString()));
    all.addAll(List.of(more));
    all.add(server.url(path));
    return curl.run(Map.of(), "", all).ok();
  }

  private static byte[] got(ServedStore server) throws Exception {
    return Files.readAllBytes(server.folder().resolve("got"));
  }

  private static void reads(Tool curl, ServedStore server) throws Exception {
    assertEquals("200", status(curl, server, "/open/hello.txt"));
    assertEquals("hello\n", new String(got(server), StandardCharsets.UTF_8));
    assertEquals("200", status(curl, server, "/open/large.bin", "--tls-max", "1.2"));
    assertArrayEquals(ServedStore.LARGE, got(server));
    assertEquals(UNTRUSTED, untrusting(curl, server).code());
    assertEquals("404", status(curl, server, "/open/none"));
    assertEquals("301", status(curl, server, "/open"));
    assertEquals("200", status(curl, server, "/open", "-L"));
    assertTrue(new String(got(server), StandardCharsets.UTF_8).contains("hello.txt"));
  }

  private static void readsParts(Tool curl, ServedStore server) throws Exception {
    assertEquals("206", status(curl, server, "/open/large.bin", "-r", "100-199"));
    assertArrayEquals(Arrays.copyOfRange(ServedStore.LARGE, 100, 200), got(server));
    assertEquals("206", status(curl, server, "/open/large.bin", "-r", "-7"));
    assertArrayEquals(Arrays.copyOfRange(ServedStore.LARGE, 2_999_994, 3_000_001), got(server));
    Path half = server.folder().resolve("got");
    Files.write(half, Arrays.copyOf(ServedStore.LARGE, 1_234_567));
    assertEquals("206", status(curl, server, "/open/large.bin", "-C", "-"));
    assertArrayEquals(ServedStore.LARGE, got(server), "a download goes on");
  }

  private static void logsIn(Tool curl, ServedStore server) throws Exception {
    Files.write(server.folder().resolve("large"), ServedStore.LARGE);
    String key = "/private/key.txt";
    assertEquals("401", status(curl, server, key));
    assertEquals("401", status(curl, server, key, "-u", "alice:wrong"));
    assertEquals("200", status(curl, server, key, "-u", "x:" + ServedStore.SECRET));
    assertEquals("200", status(curl, server, key, "-H", BEARER));
    assertEquals("401", status(curl, server, "/open/new", "-T", "large"));
    assertFalse(server.has("/open/new"));
    assertEquals("201", status(curl, server, "/open/new", "-T", "large", "-H", BEARER));
    assertArrayEquals(ServedStore.LARGE, server.read("/open/new"));
    String basic = "alice:" + ServedStore.SECRET;
    assertEquals(
        "204",
        status(
            curl,
            server,
            "/open/new",
            "-u",
            basic,
            "-T",
            "large",
            "-H",
            "Transfer-Encoding: chunked"));
    assertArrayEquals(ServedStore.LARGE, server.read("/open/new"));
    assertEquals("204", status(curl, server, "/open/new", "-u", basic, "-X", "DELETE"));
    assertFalse(server.has("/open/new"));
  }

  /** As docs/http.md has it. */
  private static void uploadsInParts(Tool curl, ServedStore server) throws Exception {
    int half = 1_500_000;
    Files.write(server.folder().resolve("half"), Arrays.copyOf(ServedStore.LARGE, half));
    Files.write(
        server.folder().resolve("rest"),
        Arrays.copyOfRange(ServedStore.LARGE, half, ServedStore.LARGE.length));
    String[] begin = {
      "-i",
      "-H",
      BEARER,
      "-X",
      "PUT",
      "-H",
      "Upload-Draft-Interop-Version: 8",
      "-H",
      "Upload-Complete: ?0",
      "--data-binary",
      "@half"
    };
    assertEquals("201", lastOf(status(curl, server, "/private/film", begin)));
    String place = found(LOCATION, server);
    assertEquals("204", status(curl, server, place, "-I", "-H", BEARER));
    assertEquals(half, Integer.parseInt(found(OFFSET, server)));
    assertFalse(server.has("/private/film"));
    assertEquals("401", status(curl, server, place, "-I"));
    String[] end = {
      "-H",
      BEARER,
      "-X",
      "PATCH",
      "-T",
      "rest",
      "-H",
      "Content-Type: application/partial-upload",
      "-H",
      "Upload-Offset: " + half,
      "-H",
      "Upload-Complete: ?1"
    };
    assertEquals("201", lastOf(status(curl, server, place, end)));
    assertArrayEquals(ServedStore.LARGE, server.read("/private/film"));
  }

  /** Interim answers may stand in front of it. */
  private static String lastOf(String statuses) {
    return statuses.substring(statuses.length() - 3);
  }

  private static String found(Pattern field, ServedStore server) throws Exception {
    String head = new String(got(server), StandardCharsets.ISO_8859_1);
    Matcher found = field.matcher(head);
    assertTrue(found.find(), head);
    return found.group(1);
  }
}
