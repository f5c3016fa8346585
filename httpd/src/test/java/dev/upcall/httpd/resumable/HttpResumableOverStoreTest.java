package dev.upcall.httpd.resumable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutHandle;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.coding.Codecs;
import dev.upcall.coding.TwinCodec;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.config.Dedup;
import dev.upcall.content.EditPolicy;
import dev.upcall.guard.AccessRules;
import dev.upcall.guard.AccessSecret;
import dev.upcall.guard.ReplaceableAccess;
import dev.upcall.httpd.BufferLeakCheck;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.HttpWorld;
import dev.upcall.httpd.MemorySite;
import dev.upcall.httpd.Responses.Response;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.SessionWorld;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.SiteChanges;
import dev.upcall.httpd.relay.Relay;
import dev.upcall.httpd.relay.RelayedSite;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.request.FileRequest;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Resumable uploads into the whole store on a simulated machine, also through a relay. */
class HttpResumableOverStoreTest {
  private static final String SECRET = "upcall_AAAAAAAAAAAAAAAAAAAAAAAAAAA";
  private static final String PART = "Upload-Complete: ?0\r\n";

  /** Sessions over a store, with the store. */
  static final class StoreWorld implements HttpWorld {
    private final HttpConfig config;
    private final boolean relayed;
    private Codecs codecs = TwinCodec.codecs(5);
    private SimWorld machine;
    private StoreFixture store;
    private FileManager files;
    private SessionWorld sessions;

    StoreWorld(HttpConfig config, boolean relayed) {
      this.config = config;
      this.relayed = relayed;
      machine = SimWorld.ofBlocks(9, StoreFixture.tinyLayout().maxBlocks());
      StoreFixture.format(machine);
      open(opened(machine));
      machine.clock().jumpEpoch(Long.MAX_VALUE / 4);
    }

    private StoreFixture opened(SimWorld on) {
      on.whenDiskCloses(survivor -> recovered(survivor).end());
      return recovered(on);
    }

    private StoreFixture recovered(SimWorld on) {
      StoreOptions options = StoreFixture.tinyOptions(on.seed());
      return Objects.requireNonNull(StoreFixture.tryOpen(on, options.withCodecs(codecs)));
    }

    private void open(StoreFixture opened) {
      store = opened;
      files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
      Site site = Site.of(files);
      sessions =
          new SessionWorld(
              machine,
              config,
              relayed
                  ? new RelayedSite(new Relay(machine.dispatcher(), machine.dispatcher()), site, 2)
                  : site);
    }

    /** The power goes, and comes back. */
    void crash() {
      machine.closesUnchecked("a death in the middle");
      machine = machine.crashAndReopen();
      open(recovered(machine));
    }

    /** The server stops, then its store; both begin again. */
    void restart() {
      close();
      machine = machine.reopen(machine.disk().crashImage(machine.random().split()));
      open(opened(machine));
    }

    @Override
    public MemorySite site() {
      throw new UnsupportedOperationException("the files are in a store");
    }

    @Override
    public List<Response> exchange(String requests, int largestFragment) {
      return sessions.exchange(requests, largestFragment);
    }

    @Override
    public HttpMetrics metrics() {
      return sessions.metrics();
    }

    @Override
    public void slowSite(int nanos) {}

    @Override
    public void close() {
      sessions.close();
      machine.<Unit>get(files::close);
      store.end();
    }

    boolean exists(String path) {
      return machine.<Boolean>get(port -> files.exists(path, port));
    }

    FileInfo info(String path) {
      return machine.get(port -> files.stat(path, LinkPolicy.FOLLOW, port));
    }

    void ask(FileRequest request) {
      machine.<Optional<FileInfo>>get(port -> files.ask(request, port));
    }

    int unfinished() {
      return machine
          .<Listing>get(port -> files.list(ResumableUploads.PLACE, "", 100, port))
          .entries()
          .size();
    }
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class Direct extends OverStore {
    @Override
    public StoreWorld newWorld(HttpConfig config) {
      return new StoreWorld(config, /* relayed= */ false);
    }
  }

  @Nested
  @ExtendWith(BufferLeakCheck.class)
  class Relayed extends OverStore {
    @Override
    public StoreWorld newWorld(HttpConfig config) {
      return new StoreWorld(config, /* relayed= */ true);
    }
  }

  abstract static class OverStore extends HttpResumableBehaviour<StoreWorld> {
    @Test
    void whatWasToldOutlivesAPowerCut() {
      row("4.1.1", put("/f", PART, "abc"), BEGUN, "201");
      row("4.1.1", append(3, false, "def"), "204; Upload-Offset: 6");
      world.crash();
      row("4.1.1: the offset does not decrease", ask("HEAD"), "204; Upload-Offset: 6");
      row("4.6.2", append(6, true, "ghi"), "201; Upload-Complete: ?1");
      world.crash();
      has("/f", "abcdefghi");
      assertEquals(0, world.unfinished());
    }

    @Test
    void anUploadEndsByItself() {
      row("4.3", put("/f", PART, "abc"), BEGUN, "201; Upload-Limit: max-size=600000, max-age=3599");
      world.machine.clock().jumpEpoch(1_000_000_000_000L);
      row("4.3", ask("HEAD"), "204; Upload-Limit: max-size=600000, max-age=2599");
      row(
          "4.3: appending takes it no further",
          append(3, false, "d"),
          "204; Upload-Limit: max-size=600000, max-age=2599");
      world.machine.clock().jumpEpoch(2_600_000_000_000L);
      row("4.3", ask("HEAD"), "404");
      row("4.3", append(4, true, "e"), "404");
      row("10", put("/g", PART, ""), BEGUN, "201");
      assertEquals(1, world.unfinished());
    }

    @Test
    void aRequestThatIsOvertakenAppendsNoMore() {
      isOvertaken(
          _ -> {
            Response look = one(ask("GET").replace("{u}", upload()));
            return Long.parseLong(look.header("Upload-Offset"));
          });
    }

    @Test
    void aRequestThatAppendsOvertakesTheOneBefore() {
      isOvertaken(
          told -> {
            row("4.8", append(told, false, "yz"), "204; Upload-Offset: " + (told + 2));
            return told + 2;
          });
    }

    /** A request is in the middle of its body, and has been told of a part, when another comes. */
    private void isOvertaken(LongUnaryOperator byAnother) {
      row("4.4.2", put("/f", PART, "abc"), BEGUN, "201");
      SimConnection earlier = world.sessions.connectReader();
      byte[] all = bytes(append(3, true, latin1(noise(250_000))).replace("{u}", upload()));
      earlier.clientSends(Arrays.copyOf(all, all.length - 100_000), 10_000);
      world.sessions.runUntil(() -> earlier.clientGotText().contains("HTTP/1.1 104 "));
      String[] progress = earlier.clientGotText().strip().split("Upload-Offset: ");
      long told = byAnother.applyAsLong(Long.parseLong(progress[1]));
      earlier.clientSends(Arrays.copyOfRange(all, all.length - 100_000, all.length), 10_000);
      world.sessions.runUntil(earlier::clientSawEnd);
      assertTrue(earlier.clientGotText().contains("HTTP/1.1 409 "), earlier::clientGotText);
      row(
          "4.8: what was told is true",
          append(told, false, "x"),
          "204; Upload-Offset: " + (told + 1));
      has("/f", null);
      earlier.clientEnds();
      world.sessions.runUntil(earlier::closedReported);
    }

    /** A body beyond the length ends the upload, but only that with which it began. */
    @Test
    void aRequestThatIsOvertakenEndsNothing() {
      row("4.4.2", put("/f", PART + "Upload-Length: 9\r\n", "abc"), BEGUN, "201");
      SimConnection earlier = world.sessions.connectReader();
      String head =
          "PATCH {u}"
              + HOST
              + VERSION
              + "Content-Type: application/partial-upload\r\nUpload-Offset: 3\r\n"
              + "Upload-Complete: ?1\r\nTransfer-Encoding: chunked\r\n\r\n";
      earlier.clientSends(bytes(head.replace("{u}", upload()) + "1\r\nd\r\n"), 1000);
      world.sessions.runFor(50_000_000);
      row("4.6.2", append(3, false, "xyz"), "204; Upload-Offset: 6");
      earlier.clientSends(bytes("8\r\nefghijkl\r\n0\r\n\r\n"), 1000);
      world.sessions.runUntil(earlier::clientSawEnd);
      assertTrue(earlier.clientGotText().contains("HTTP/1.1 400 "), earlier::clientGotText);
      earlier.clientEnds();
      world.sessions.runUntil(earlier::closedReported);
      row("4.6.2", append(6, true, "ghi"), "201");
      has("/f", "abcxyzghi");
    }

    /** Bytes of a slow client are durable after a while, though they are no piece. */
    @Test
    void aSlowClientNeedNotSendAWholePiece() {
      row("4.4.2", put("/f", PART, ""), BEGUN, "201");
      SimConnection slow = world.sessions.connectReader();
      byte[] all = bytes(append(0, false, "0123456789").replace("{u}", upload()));
      slow.clientSends(Arrays.copyOf(all, all.length - 7), 1000);
      world.sessions.runFor(6_000_000_000L);
      assertEquals("", slow.clientGotText());
      slow.clientSends(Arrays.copyOfRange(all, all.length - 7, all.length - 5), 1000);
      world.sessions.runUntil(() -> slow.clientGotText().contains("Upload-Offset: 5\r\n"));
      world.crash();
      row("4.1.1", ask("HEAD"), "204; Upload-Offset: 5");
    }

    /** Bodies lie where those of PUTs do, and take nothing of what clients hold of answers. */
    @Test
    void manyBodiesComeAtOnce() {
      world.close();
      world = newWorld(config().withMaxLeasedBytes(100_000));
      row("4.4.2", put("/f", PART, ""), BEGUN, "201");
      String first = upload();
      SimConnection[] others = new SimConnection[3];
      for (int i = 0; i < others.length; i++) {
        row("4.4.2", put("/g" + i, PART, ""), BEGUN, "201");
        others[i] = world.sessions.connectReader();
        byte[] all = bytes(append(0, false, latin1(noise(90_000))).replace("{u}", upload()));
        others[i].clientSends(Arrays.copyOf(all, all.length - 10_000), 5000);
        world.sessions.runFor(1_000_000_000L);
      }
      assertEquals(201, one(append(0, true, "x").replace("{u}", first)).status());
      for (SimConnection other : others) {
        other.reset();
        world.sessions.runUntil(other::closedReported);
      }
      world.sessions.runFor(1_000_000_000L);
      assertEquals(others.length, world.unfinished(), "no piece is left");
      row("4.6.2", ask("HEAD"), "204; Upload-Offset: 80000");
    }

    /** The piece before is not awaited; the end of the body is nothing but the wait for it. */
    @Test
    void anAnswerBehindWholePiecesIsDurable() {
      String chunk = "186a0\r\n" + latin1(noise(100_000)) + "\r\n";
      row(
          "4.4.2",
          "PUT /f"
              + HOST
              + VERSION
              + PART
              + "Transfer-Encoding: chunked\r\n\r\n"
              + chunk
              + chunk
              + "0\r\n\r\n",
          BEGUN,
          "104; Upload-Offset: 100000",
          "201");
      world.crash();
      row("4.1.1", ask("HEAD"), "204; Upload-Offset: 200000");
      assertEquals(1, world.unfinished(), "no piece is left");
    }

    /** Pieces are stored as their place says, and become parts of the file as they are stored. */
    @Test
    void aChoiceForTheDirectoryHoldsForUploads() {
      MetadataChange chosen = MetadataChange.NONE.withCompression(Compression.FAST);
      world.ask(new FileRequest.CreateDirectory(StorePath.of("/d"), Parents.MAKE, chosen));
      String content = latin1(TwinCodec.bytes(1, 200_000));
      row("4.4.2", put("/d/e/f", PART, content.substring(0, 120_000)), BEGUN, "201");
      row("4.6.2", append(120_000, true, content.substring(120_000)), "201");
      has("/d/e/f", content);
      FileInfo file = world.info("/d/e/f");
      assertEquals(Optional.of(Compression.FAST), file.compression());
      assertTrue(file.stored().bytes() < 150_000, file::toString);
      row("4.4.2", put("/plain", PART, content.substring(0, 120_000)), BEGUN, "201");
      row("4.6.2", append(120_000, true, content.substring(120_000)), "201");
      assertTrue(world.info("/plain").stored().bytes() >= 200_000);
    }

    /** Also where nothing is yet; of a file that is there, its own choice counts. */
    @Test
    void aChoiceHoldsForUploadsWhereLinksLead() {
      MetadataChange chosen = MetadataChange.NONE.withCompression(Compression.FAST);
      world.ask(new FileRequest.CreateDirectory(StorePath.of("/d"), Parents.MAKE, chosen));
      world.ask(new FileRequest.SymbolicLink("/to", "d/new"));
      String content = latin1(TwinCodec.bytes(1, 200_000));
      for (String already : List.of("nothing", "a file")) {
        row(already, put("/to", PART, content.substring(0, 120_000)), BEGUN, "201");
        row(
            already,
            append(120_000, true, content.substring(120_000)),
            already.startsWith("a") ? "204" : "201");
        FileInfo file = world.info("/d/new");
        assertEquals(Optional.of(Compression.FAST), file.compression());
        assertTrue(file.stored().bytes() < 150_000, file::toString);
      }
    }

    /**
     * The place of unfinished uploads has its own directory, the root, whose choices do not count.
     */
    @Test
    void attributesAreThoseThatAPutLeaves() {
      world.ask(new FileRequest.CreateDirectory("/old"));
      MetadataChange chosen =
          MetadataChange.NONE
              .withCompression(Compression.FAST)
              .withDedup(Dedup.FILE)
              .withEditPolicy(new EditPolicy.Esm(4));
      world.ask(
          new FileRequest.SetMetadata(
              StorePath.ROOT, LinkPolicy.FOLLOW, chosen, FileCondition.PRESENT));
      String content = latin1(TwinCodec.bytes(1, 200_000));
      for (String path : List.of("/old/f", "/g", "/new/h", "/old/f", "/g")) {
        row(path, put(path, PART, content.substring(0, 120_000)), BEGUN, "201");
        String done = world.exists(path) ? "204" : "201";
        row(path, append(120_000, true, content.substring(120_000)), done);
        has(path, content);
        FileInfo file = world.info(path);
        boolean old = path.startsWith("/old");
        assertEquals(
            old ? Set.of() : Set.of("compression", "dedup", EditPolicy.ATTRIBUTE),
            without(file.attributes().keySet(), "media-type"),
            path);
        assertEquals(old, file.stored().bytes() >= 200_000, file::toString);
      }
    }

    private static Set<String> without(Set<String> names, String one) {
      Set<String> others = new HashSet<>(names);
      others.remove(one);
      return others;
    }

    @Test
    void whereNothingCanBeCompressedAnyMore_uploadsGoOnPlainly() {
      MetadataChange chosen = MetadataChange.NONE.withCompression(Compression.FAST);
      world.ask(new FileRequest.CreateDirectory(StorePath.of("/d"), Parents.MAKE, chosen));
      row("4.4.2", put("/d/f", PART, "abc"), BEGUN, "201");
      world.codecs = Codecs.NONE;
      world.restart();
      String content = latin1(TwinCodec.bytes(1, 200_000));
      row("4.6.2", append(3, false, content.substring(0, 120_000)), "204; Upload-Offset: 120003");
      row("4.6.2", append(120_003, true, content.substring(120_000)), "201");
      has("/d/f", "abc" + content);
      FileInfo file = world.info("/d/f");
      assertEquals(Optional.of(Compression.FAST), file.compression());
      assertTrue(file.stored().bytes() >= 200_000);
      row("4.4.2: over a file with a choice", put("/d/f", PART, "abc"), BEGUN, "201");
      row("4.6.2", append(3, true, "def"), "204");
      has("/d/f", "abcdef");
    }

    @Test
    void whereNothingCanBeCompressed_uploadsAreStoredPlainly() {
      MetadataChange chosen = MetadataChange.NONE.withCompression(Compression.FAST);
      world.ask(new FileRequest.CreateDirectory(StorePath.of("/d"), Parents.MAKE, chosen));
      world.codecs = Codecs.NONE;
      world.restart();
      String content = latin1(TwinCodec.bytes(1, 200_000));
      row("4.4.2", put("/d/f", PART, content.substring(0, 120_000)), BEGUN, "201");
      row("4.6.2", append(120_000, true, content.substring(120_000)), "201");
      has("/d/f", content);
      assertTrue(world.info("/d/f").stored().bytes() >= 200_000);
    }

    private byte[] bytes(String latin1) {
      return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void aConnectionThatBreaksKeepsWhatCame() {
      row("4.4.2", put("/f", PART + "Upload-Length: 10\r\n", ""), BEGUN, "201");
      for (int sent = 1; sent <= 3; sent++) {
        SimConnection connection = world.sessions.connectReader();
        byte[] all = bytes(append(3 * (sent - 1), false, "abcd").replace("{u}", upload()));
        connection.clientSends(Arrays.copyOf(all, all.length - 1), 1000);
        world.sessions.runFor(50_000_000);
        connection.reset();
        world.sessions.runUntil(connection::closedReported);
        world.sessions.runFor(50_000_000);
        row("4.6.2", ask("HEAD"), "204; Upload-Offset: " + 3 * sent);
      }
      row("4.6.2", append(9, true, "e"), "201");
      has("/f", "abcabcabce");
    }

    /** So much that it is still on its way to the disk. */
    @Test
    void piecesThatAreLeftTakeRoom() {
      row("4.4.2", put("/f", PART, "abc"), BEGUN, "201");
      world.ask(
          new FileRequest.Put(
              ResumableUploads.PLACE.child("0-1"),
              new FileContent.Bytes(new byte[2000]),
              PutOptions.DEFAULT));
      row("10", put("/g", PART + "Upload-Length: 599000\r\n", ""), "503");
      row("10", put("/g", PART + "Upload-Length: 598000\r\n", ""), BEGUN, "201");
    }

    @Test
    void aServerThatStopsKeepsWhatCame() {
      row("4.4.2", put("/f", PART, ""), BEGUN, "201");
      SimConnection connection = world.sessions.connectReader();
      byte[] all = bytes(append(0, false, latin1(noise(90_000))).replace("{u}", upload()));
      connection.clientSends(Arrays.copyOf(all, all.length - 1), 10_000);
      world.sessions.runFor(50_000_000);
      world.restart();
      row("4.6.2", ask("HEAD"), "204; Upload-Offset: 89999");
      assertEquals(1, world.unfinished(), "no piece is left");
    }

    @Test
    void aFileIsReplacedAsAPutWould() {
      assertEquals(201, one(request("PUT /f", "Content-Type: a/b\r\n", "old")).status());
      world.ask(
          new FileRequest.SetMetadata(
              StorePath.of("/f"),
              LinkPolicy.FOLLOW,
              MetadataChange.NONE.withMode(0600).withOwner(7).withAttribute("x", new byte[] {1})));
      FileInfo before = world.info("/f");
      String fields = PART + "Content-Type: c/d\r\nUpcall-Expires-In: 60\r\n";
      row("4.4.2", put("/f", fields, "ne"), BEGUN, "201");
      row("4.6.2", append(2, true, "w"), "204; Upload-Complete: ?1");
      FileInfo now = world.info("/f");
      has("/f", "new");
      assertEquals(before.mode(), now.mode());
      assertEquals(before.owner(), now.owner());
      assertEquals(before.times().createdNanos(), now.times().createdNanos());
      assertEquals("c/d", now.mediaType());
      assertEquals(Set.of("media-type", "x"), now.attributes().keySet());
      long lives = now.times().expiresNanos() - now.times().modifiedNanos();
      assertTrue(lives >= 60_000_000_000L && lives < 61_000_000_000L, "" + lives);
      row("4.4.2: and stays if the next says so", put("/f", PART, "ne"), BEGUN, "201");
      row("4.6.2", append(2, true, "w"), "204");
      assertFalse(world.info("/f").times().hasExpiry());
    }

    @Test
    void linksLeadAsInAPut() {
      world.ask(new FileRequest.SymbolicLink("/to", "d/target"));
      row("4.4.2", put("/to", PART, "ab"), BEGUN, "201");
      row("4.6.2", append(2, true, "c"), "201");
      has("/d/target", "abc");
      assertTrue(
          world
              .machine
              .<FileInfo>get(p -> world.files.stat("/to", LinkPolicy.NO_FOLLOW, p))
              .isSymbolicLink());
    }

    @Test
    void theRootDoesNotShowThem() {
      for (String name : List.of("!", "b", "c")) {
        assertEquals(201, one(request("PUT /" + name, "", "x")).status());
      }
      row("4.4.2", put("/f", PART, "abc"), BEGUN, "201");
      for (String query :
          List.of(
              "?limit=1",
              "?limit=2",
              "?",
              "?limit=3",
              "?order=desc&limit=2",
              "?sort=size",
              "?after=!&limit=1",
              "?before=b&limit=1")) {
        String page =
            one("GET /" + query + HOST + "Accept: application/json\r\nConnection: close\r\n\r\n")
                .text();
        assertFalse(page.contains("upcall-uploads"), page);
        boolean whole = query.equals("?") || query.contains("sort") || query.contains("3");
        assertEquals(!whole, page.contains("\"next\":\"?"), query + page);
      }
    }

    @Test
    void linksDoNotLeadToThem() {
      linksDoNotLeadToThem("");
    }

    @Test
    void linksDoNotLeadToThemBehindRules() {
      String tokens =
          "token alice sha256:%s\n"
              .formatted(HexFormat.of().formatHex(AccessSecret.digest(SECRET)));
      ReplaceableAccess access =
          new ReplaceableAccess(rules(tokens + "allow read,list,write / alice\n"));
      world.close();
      HttpConfig config = config();
      world = newWorld(config.withPolicy(config.policy().withAccess(access)));
      linksDoNotLeadToThem("Authorization: Bearer " + SECRET + "\r\n");
    }

    private void linksDoNotLeadToThem(String login) {
      world.ask(new FileRequest.CreateDirectory("/d"));
      world.ask(new FileRequest.SymbolicLink("/here", "."));
      world.ask(new FileRequest.SymbolicLink("/d/up", ".."));
      world.ask(new FileRequest.SymbolicLink("/d/place", "/.upcall-uploads"));
      row("4.4.2", put("/f", login + PART, "abc"), BEGUN, "201");
      String id = upload().substring(upload().indexOf('=') + 1);
      world.ask(new FileRequest.SymbolicLink("/d/one", "/.upcall-uploads/" + id));
      String end = HOST + login + "Connection: close\r\n";
      String json = end + "Accept: application/json\r\n";
      for (String root : List.of("/here/", "/d/up/", "/here/d/up/")) {
        for (String query : List.of("", "?limit=1", "?order=desc&limit=2", "?sort=size")) {
          for (String fields : List.of(end, json)) {
            Response page = one("GET " + root + query + fields + "\r\n");
            assertEquals(200, page.status(), root);
            assertTrue(page.text().contains("here") || query.contains("limit"), page::text);
            assertFalse(page.text().contains("upcall-uploads"), page::text);
          }
        }
      }
      assertTrue(one("GET /here/" + json + "\r\n").text().contains("\"total\":2,"));
      String link = one("GET /d/" + json + "\r\n").text();
      assertTrue(link.contains("\"target\":\"/.upcall-uploads\",\"leadsTo\":null"), link);
      for (String place : List.of("/here/.upcall-uploads", "/d/place", "/d/up/here/d/place")) {
        for (String below : List.of("", "/", "/" + id, "/" + id + "/", "/new")) {
          for (String method : List.of("GET ", "HEAD ")) {
            row("10", method + place + below + json + "\r\n", "404");
            row("10", method + place + below + end + "\r\n", "404");
          }
          row("10", "GET " + place + below + "?order=desc" + json + "\r\n", "404");
        }
        row("10", "DELETE " + place + "/" + id + end + "\r\n", "404");
        row("10", request("PUT " + place + "/" + id, login, "x"), "409");
        row("10", request("PUT " + place + "/new", login, "x"), "409");
        row("10", put(place + "/new", login + PART, "x"), "409");
        String edit = login + "If-Match: \"1-1\"\r\nContent-Type: message/byterange\r\n";
        row("10", request("PATCH " + place + "/" + id, edit, ""), "412");
      }
      row("10", "GET /d/one" + end + "\r\n", "404");
      row("10", request("PUT /d/one", login, "x"), "409");
      row("10", "HEAD {u}" + end + "\r\n", "204; Upload-Offset: 3");
      assertEquals(1, world.unfinished());
    }

    @Test
    void aLinkThatChangesWhileAFileIsPutLeadsNotToThem() {
      world.ask(new FileRequest.CreateDirectory("/d"));
      world.ask(new FileRequest.SymbolicLink("/way", "/d"));
      world.ask(new FileRequest.SymbolicLink("/round", "round"));
      row("4.4.2", put("/f", PART, "abc"), BEGUN, "201");
      String id = upload().substring(upload().indexOf('=') + 1);
      SiteChanges changes = SiteChanges.of(world.files);
      PutHandle begun =
          world.machine.get(
              port -> changes.put(StorePath.of("/way/" + id), PutOptions.DEFAULT, port));
      world.ask(new FileRequest.Delete("/way"));
      world.ask(new FileRequest.SymbolicLink("/way", "/.upcall-uploads"));
      world.machine.<FileInfo>get(port -> begun.commit(Durability.SYNC, port));
      assertEquals(0, world.info("/d/" + id).sizeBytes());
      row("10", "HEAD {u}" + HOST + "Connection: close\r\n\r\n", "204; Upload-Offset: 3");
      row("10", request("PUT /round", "", "x"), "409");
    }

    @Test
    void theRulesAreThoseOfThePath() {
      String tokens =
          "token alice sha256:%s\n"
              .formatted(HexFormat.of().formatHex(AccessSecret.digest(SECRET)));
      ReplaceableAccess access =
          new ReplaceableAccess(
              rules(tokens + "allow read,list,write /a alice\nallow write /b alice\n"));
      world.close();
      HttpConfig config = config();
      world = newWorld(config.withPolicy(config.policy().withAccess(access)));
      String alice = "Authorization: Bearer " + SECRET + "\r\n";
      world.ask(new FileRequest.CreateDirectory("/a"));
      row("10", put("/a/f", PART, "abc"), "401");
      row("10", put("/c/f", alice + PART, "abc"), "403");
      row("10", put("/a/f", alice + PART, "abc"), BEGUN, "201");
      row("10", ask("HEAD"), "401");
      row("10", ask("DELETE"), "401");
      row("10", append(3, true, "d"), "401");
      row("10", "HEAD {u}" + HOST + alice + "Connection: close\r\n\r\n", "204; Upload-Offset: 3");
      world.ask(new FileRequest.CreateDirectory("/c"));
      world.ask(new FileRequest.SymbolicLink("/a/leak", "/c/f"));
      row("10", put("/a/leak", alice + PART, "abc"), "403");
      access.replace(rules(tokens + "allow write /b alice\n"));
      String last = alice + "Upload-Offset: 3\r\nUpload-Complete: ?1\r\n";
      row("10: also when it goes on", patch(last, "d"), "403");
      access.replace(rules(tokens + "allow read,write /a alice\n"));
      world.ask(new FileRequest.SymbolicLink("/a/f", "/c/f"));
      row("10: and where it ends", patch(last, "d"), "403; Upload-Complete: -");
      world.ask(new FileRequest.Delete("/a/f"));
      row("10", patch(last.replace("3", "4"), ""), "201");
      assertNull(
          world
              .machine
              .<Listing>get(p -> world.files.list("/c", "", 10, p))
              .nextAfter()
              .orElse(null));
    }

    private static AccessRules rules(String text) {
      return UpcallException.value(AccessRules.parse("rules", text));
    }
  }
}
