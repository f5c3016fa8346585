package dev.upcall.httpd.guarding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Unit;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import dev.upcall.guard.ReplaceableAccess;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.Responses;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.httpd.web.WebRules;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.StoreFixture;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Access rules in front of the whole store on a simulated machine. */
@ExtendWith(BufferLeakCheck.class)
class HttpAccessTest {
  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");
  private static final Pattern NEXT = Pattern.compile("\"next\":\"([^\"]*)\"");

  private static final String SECRET = "upcall_AAAAAAAAAAAAAAAAAAAAAAAAAAA";
  private static final String EXPIRED = "upcall_BBBBBBBBBBBBBBBBBBBBBBBBBBB";
  private static final String RULES =
      """
      token alice %s
      token old %s expires 1971-01-01
      cert ci ci.example.org
      allow read,list / anyone
      allow write / alice ci
      allow read,list,write /secret alice
      allow list /pages anyone
      allow read /pages alice
      allow write /in anyone
      allow read,list /in alice
      """
          .formatted(digest(SECRET), digest(EXPIRED));

  private static final WebRules WEB =
      UpcallException.value(WebRules.parse("web", "precompressed / text/plain"));

  private SimWorld machine;
  private StoreFixture store;
  private FileManager files;
  private SessionWorld world;
  private ReplaceableAccess access;

  static String digest(String secret) {
    return "sha256:" + HexFormat.of().formatHex(AccessSecret.digest(secret));
  }

  static HttpPolicy rules(String text) {
    return HttpPolicy.OPEN.withAccess(parsed(text));
  }

  private static AccessRules parsed(String text) {
    return UpcallException.value(AccessRules.parse("rules", text));
  }

  @BeforeEach
  void open() {
    machine = SimWorld.ofBlocks(5, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    store = StoreFixture.open(machine);
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    machine.clock().jumpEpoch(Long.MAX_VALUE / 4);
    access = new ReplaceableAccess(parsed(RULES));
    world =
        new SessionWorld(
            machine,
            HttpConfig.defaults()
                .withWritable(true)
                .withPolicy(HttpPolicy.OPEN.withAccess(access).withWeb(() -> WEB)),
            Site.of(files));
    write("/open.txt", "open");
    write("/secret/key.txt", "key");
    write("/pages/a.txt", "a");
    write("/pages/index.html", "index");
    link("/leak", "/secret/key.txt");
    link("/leaks", "secret");
    link("/leads/nowhere", "/secret/none");
    link("/fine", "/open.txt");
  }

  @AfterEach
  void close() {
    world.close();
    machine.<Unit>get(files::close);
    store.end();
  }

  private void write(String path, String text) {
    makeParent(path);
    machine.<FileInfo>get(port -> files.writeString(path, text, port));
  }

  private void link(String path, String target) {
    makeParent(path);
    machine.<FileInfo>get(port -> files.symbolicLink(path, target, port));
  }

  private void makeParent(String path) {
    StorePath folder = StorePath.of(path).parent();
    machine.<FileInfo>get(port -> files.createDirectories(folder, port));
  }

  /** The rules hold for what stands for a file as they do for the file. */
  @Test
  void aCompressedNeighbourIsJudgedAsWell() {
    link("/open.txt.gz", "/secret/key.txt");
    String gzip = "Accept-Encoding: gzip\r\n";
    assertEquals("open", ask("GET /open.txt", gzip).text());
    assertEquals("key", ask("GET /open.txt", gzip + bearer(SECRET)).text());
    assertEquals(412, ask("GET /open.txt", gzip + "If-Match: \"1-1\"\r\n").status());
    assertEquals(401, ask("GET /secret/key.txt", gzip).status());
  }

  @Test
  void whatMayBeAskedIsNoSecret() {
    assertEquals(204, ask("OPTIONS /secret/key.txt", "").status());
    assertEquals(204, ask("OPTIONS /secret/none", "").status());
    assertEquals(401, ask("OPTIONS /open.txt", bearer("upcall_x")).status());
  }

  private static String request(String methodAndPath, String fields) {
    return methodAndPath + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
  }

  private static String bearer(String secret) {
    return "Authorization: Bearer " + secret + "\r\n";
  }

  private static String basic(String pair) {
    byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(bytes) + "\r\n";
  }

  private Response ask(String methodAndPath, String fields) {
    List<Response> answers = world.exchange(request(methodAndPath, fields));
    assertEquals(1, answers.size());
    return answers.getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    // request, status of nobody, status of alice
    "GET /open.txt,              200, 200",
    "GET /none.txt,              404, 404",
    "GET /secret/key.txt,        401, 200",
    "GET /secret/none.txt,       401, 404",
    "GET /secret,                401, 301",
    "GET /secret/,               401, 200",
    "GET /secret/none/,          401, 404",
    "GET /leak,                  401, 200",
    "GET /leaks,                 401, 301",
    "GET /leaks/,                401, 200",
    "GET /leaks/key.txt,         401, 200",
    "GET /leaks/none,            401, 404",
    "GET /leads/nowhere,         401, 404",
    "GET /fine,                  200, 200",
    "GET /secret/key.txt/x,      401, 404",
    "GET /pages/a.txt,           401, 200",
    "GET /pages/none.txt,        401, 404",
    "GET /secret/?snapshot=none, 401, 404",
    "GET /?snapshot=none,        404, 404",
    "HEAD /secret/key.txt,       401, 200",
    "DELETE /open.txt,           401, 204",
    "DELETE /secret/key.txt,     401, 204",
    "DELETE /leaks/key.txt,      401, 204",
    "DELETE /in/none,            404, 404",
    "GET /in/none,               401, 404",
    "POST /secret/key.txt,       405, 405",
    "GET /%2e%2e/secret,         400, 400",
  })
  void nobodyAndAlice(String request, int nobody, int alice) {
    assertEquals(nobody, ask(request, "").status());
    assertEquals(alice, ask(request, bearer(SECRET)).status());
  }

  @Test
  void rulesThatAreReplaced_holdForTheNextRequestOfAKeptConnection() {
    SimConnection connection = world.connect(100_000);
    connection.clientReadsAll();
    String request = request("GET /secret/key.txt", bearer(SECRET));
    connection.clientSends(request);
    world.runUntil(() -> connection.clientGotText().endsWith("key"));
    access.replace(parsed("allow read / anyone\n"));
    connection.clientSends(request);
    world.runUntil(() -> connection.clientGotText().contains("HTTP/1.1 401"));
  }

  @Test
  void aRefusalSaysHowToLogInAndNothingOfWhatIsThere() {
    Response there = ask("GET /secret/key.txt", "");
    Response missing = ask("GET /secret/none", "");
    assertEquals(
        "Basic realm=\"upcall\", charset=\"UTF-8\", Bearer realm=\"upcall\"",
        there.header("WWW-Authenticate"));
    assertEquals(there.text(), missing.text());
    assertEquals(there.headers(), missing.headers());
  }

  @Test
  void aPutGoesWhereItsCallerMayWrite() {
    String body = "Content-Length: 3\r\n";
    assertEquals(201, put("/in/new.txt", "").status());
    assertEquals(401, put("/open.txt", "").status());
    assertEquals(401, put("/leaks/new.txt", "").status(), "over a link");
    assertEquals(201, put("/leaks/new.txt", bearer(SECRET)).status());
    assertEquals("abc", ask("GET /secret/new.txt", bearer(SECRET)).text());
    assertEquals(409, put("/leaks", bearer(SECRET)).status());
    assertEquals("/leaks is a directory\n", put("/leaks", bearer(SECRET)).text());
    link("/in/out", "/open.txt");
    assertEquals(401, put("/in/out", "").status(), "a link out of where one may write");
    assertEquals("open", ask("GET /open.txt", "").text());
  }

  private Response put(String path, String fields) {
    return world
        .exchange(request("PUT " + path, fields + "Content-Length: 3\r\n") + "abc")
        .getFirst();
  }

  @Test
  void aPatchIsJudgedAsAPutIs() {
    String fields =
        "If-Match: \"x-1\"\r\nContent-Type: application/vnd.upcall.edits\r\nContent-Length: 9\r\n";
    assertEquals(
        401,
        world
            .exchange(request("PATCH /leaks/key.txt", fields) + "cut 0 1\r\n")
            .getFirst()
            .status());
    assertEquals(
        412,
        world
            .exchange(request("PATCH /leaks/key.txt", fields + bearer(SECRET)) + "cut 0 1\r\n")
            .getFirst()
            .status());
    String tag = ask("HEAD /secret/key.txt", bearer(SECRET)).header("ETag");
    String right = fields.replace("\"x-1\"", tag) + bearer(SECRET);
    assertEquals(
        204,
        world.exchange(request("PATCH /leaks/key.txt", right) + "cut 0 1\r\n").getFirst().status());
    assertEquals("ey", ask("GET /secret/key.txt", bearer(SECRET)).text());
  }

  @Test
  void aListingLeavesOutWhatMayNotBeSeen() {
    String json = "Accept: application/json\r\n";
    String nobody = ask("GET /", json).text();
    String alice = ask("GET /", json + bearer(SECRET)).text();
    assertFalse(nobody.contains("\"name\":\"secret\""), nobody);
    assertTrue(alice.contains("\"name\":\"secret\""), alice);
    assertTrue(nobody.contains("\"total\":6"), nobody);
    assertTrue(alice.contains("\"total\":7"), alice);
    assertTrue(nobody.contains("\"target\":\"/secret/key.txt\",\"leadsTo\":null"), nobody);
    assertTrue(alice.contains("\"target\":\"/secret/key.txt\",\"leadsTo\":\"file\""), alice);
    SortedSet<String> all = names(nobody);
    for (String sort : List.of("name", "size", "modified")) {
      for (String order : List.of("asc", "desc")) {
        for (int limit = 1; limit <= all.size(); limit++) {
          String query = "?sort=" + sort + "&order=" + order + "&limit=" + limit;
          assertEquals(all, names(pages(query)), query);
        }
      }
    }
  }

  /** All pages of the root behind one another, as nobody sees them. */
  private String pages(String first) {
    StringBuilder all = new StringBuilder();
    Optional<String> query = Optional.of(first);
    while (query.isPresent()) {
      String page = ask("GET /" + query.get(), "Accept: application/json\r\n").text();
      all.append(page);
      query = NEXT.matcher(page).results().map(found -> found.group(1)).findFirst();
    }
    return all.toString();
  }

  private static SortedSet<String> names(String pages) {
    SortedSet<String> names = new TreeSet<>();
    NAME.matcher(pages)
        .results()
        .forEach(found -> assertTrue(names.add(found.group(1)), () -> "twice in " + pages));
    return names;
  }

  @Test
  void anIndexPageThatMayNotBeReadIsNone() {
    assertEquals("index", ask("GET /pages/", bearer(SECRET)).text());
    Response page = ask("GET /pages/", "");
    assertEquals(200, page.status());
    assertTrue(page.text().contains("a.txt"), page.text());
  }

  @Test
  void aSnapshotIsJudgedByTheSameRules() {
    machine.<NamedSnapshot>get(port -> files.createSnapshot("then", port));
    assertEquals(401, ask("GET /leak?snapshot=then", "").status());
    assertEquals("key", ask("GET /leak?snapshot=then", bearer(SECRET)).text());
    assertEquals(200, ask("GET /open.txt?snapshot=then", "").status());
    String page = ask("GET /?snapshot=then", "Accept: application/json\r\n").text();
    assertFalse(page.contains("\"name\":\"secret\""), page);
  }

  @Test
  void credentialsThatNobodyHasAreRefusedEverywhere() {
    assertEquals(401, ask("GET /open.txt", bearer("x")).status());
    assertEquals(401, ask("GET /open.txt", bearer(EXPIRED)).status());
    assertEquals(401, ask("GET /open.txt", "Authorization: Basic ***\r\n").status());
    assertEquals(401, ask("GET /open.txt", "Authorization: Digest x\r\n").status());
    assertEquals(401, ask("GET /open.txt", bearer(SECRET) + bearer(SECRET)).status());
    assertEquals(200, ask("GET /open.txt", basic("anything:" + SECRET)).status());
    assertEquals(200, ask("GET /open.txt", "authorization: bEARER  " + SECRET + "\r\n").status());
  }

  @Test
  void theConnectionsRequestsAreJudgedOneByOne() {
    List<Response> answers =
        world.exchange(
            request("GET /secret/key.txt", bearer(SECRET))
                + request("GET /secret/key.txt", "")
                + request("GET /secret/key.txt", bearer(SECRET)));
    assertEquals(List.of(200, 401, 200), answers.stream().map(Response::status).toList());
  }

  @Test
  void aClientCertificateIsALogin() {
    SimConnection connection = world.connectReader();
    connection.secure = true;
    connection.certificateNames = List.of("ci.example.org");
    connection.clientSends(request("DELETE /open.txt", "") + request("GET /secret/key.txt", ""));
    connection.clientEnds();
    world.runUntil(connection::clientSawEnd);
    List<Response> answers = Responses.parse(connection.clientGot(), n -> false, true);
    assertEquals(List.of(204, 403), answers.stream().map(Response::status).toList());
  }

  @Test
  void tokensAreTakenOnThisMachineOrOverTls() throws UnknownHostException {
    for (boolean secure : List.of(false, true)) {
      SimConnection connection = world.connectReader();
      connection.peer = InetAddress.getByName("192.0.2.1");
      connection.secure = secure;
      connection.clientSends(
          request("GET /open.txt", "")
              + request("GET /open.txt", bearer(SECRET))
              + request("GET /secret/key.txt", ""));
      connection.clientEnds();
      world.runUntil(connection::clientSawEnd);
      List<Response> answers = Responses.parse(connection.clientGot(), n -> false, true);
      assertEquals(
          secure ? List.of(200, 200, 401) : List.of(200, 403, 403),
          answers.stream().map(Response::status).toList());
    }
  }

  @Test
  void tenFailuresInAMinuteMakeTheNextAnswersWait() {
    long begin = machine.clock().monotonicNanos();
    for (int i = 0; i < 10; i++) {
      assertEquals(401, ask("GET /open.txt", bearer("x" + i)).status());
    }
    assertTrue(machine.clock().monotonicNanos() - begin < 900_000_000L);
    long tenth = machine.clock().monotonicNanos();
    assertEquals(401, ask("GET /open.txt", bearer("x")).status());
    assertTrue(machine.clock().monotonicNanos() - tenth >= 1_000_000_000L);
    long eleventh = machine.clock().monotonicNanos();
    assertEquals(200, ask("GET /open.txt", bearer(SECRET)).status());
    assertTrue(machine.clock().monotonicNanos() - eleventh < 900_000_000L, "who is known");
    List<Response> behind =
        world.exchange(
            request("GET /open.txt", bearer("x")) + request("GET /open.txt", bearer(SECRET)));
    assertEquals(List.of(401, 200), behind.stream().map(Response::status).toList());
    world.runFor(61_000_000_000L);
    long later = machine.clock().monotonicNanos();
    assertEquals(401, ask("GET /open.txt", bearer("x")).status());
    assertTrue(machine.clock().monotonicNanos() - later < 900_000_000L, "a minute later");
  }

  @Test
  void anAnswerThatWaitsMayBeGivenUpByEitherSide() {
    for (int i = 0; i < 10; i++) {
      ask("GET /open.txt", bearer("x"));
    }
    SimConnection gone = world.connectReader();
    gone.clientSends(request("GET /open.txt", bearer("x")));
    world.runUntil(() -> taken("AWAITING_REQUEST", "HELD") == 1);
    gone.clientSends(request("GET /open.txt", ""));
    world.runFor(1_000_000);
    gone.reset();
    world.runUntil(gone::closedReported);
    SimConnection last = world.connectReader();
    last.clientSends(request("GET /open.txt", bearer("x") + "Connection: close\r\n"));
    last.clientEnds();
    world.runUntil(last::clientSawEnd);
    assertEquals(401, Responses.parse(last.clientGot(), n -> false, true).getFirst().status());
    SimConnection slow = world.connectReader();
    slow.clientSends(request("GET /open.txt", bearer("x")));
    world.runUntil(() -> taken("AWAITING_REQUEST", "HELD") == 3);
  }

  private long taken(String from, String to) {
    return world.stats().taken().stream()
        .filter(move -> move.from().equals(from) && move.to().equals(to))
        .mapToLong(move -> move.count())
        .sum();
  }

  @Test
  void aServerThatClosesDoesNotWaitForAnAnswerThatDoes() {
    for (int i = 0; i < 10; i++) {
      ask("GET /open.txt", bearer("x"));
    }
    SessionWorld closing =
        new SessionWorld(
            machine,
            HttpConfig.defaults().withPolicy(rules(RULES)).withDrainNanos(0),
            Site.of(files));
    for (int i = 0; i < 10; i++) {
      closing.exchange(request("GET /open.txt", bearer("x")));
    }
    SimConnection held = closing.connectReader();
    held.clientSends(request("GET /open.txt", bearer("x")));
    closing.runFor(1_000_000);
    closing.close();
    assertTrue(held.clientSawEnd());
  }
}
