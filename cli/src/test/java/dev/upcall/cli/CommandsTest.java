package dev.upcall.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.httpd.server.HttpThreads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands as a user and a program see them: output, JSON, exit codes, messages. */
class CommandsTest {
  private static final int LARGE_BYTES = 32 << 20;

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void shell() {
    shell = new TestShell(here);
  }

  private void makeStore() {
    ok("abc", "put", "-", "/d/a.txt", "-p", "--create", "--store=s.upcall", "--volume-size=64m");
  }

  private String ok(String input, String... args) {
    int code = shell.input(input.getBytes()).run(args);
    assertEquals(ExitCode.OK, code, () -> String.join(" ", args) + ": " + shell.err());
    return shell.out();
  }

  /** The command fails with a code and one clear line. */
  private void refused(int code, String words, String... args) {
    assertEquals(code, shell.run(args), () -> String.join(" ", args) + ": " + shell.err());
    assertTrue(shell.err().contains(words), shell::err);
    assertTrue(shell.err().startsWith("upcall: "), shell::err);
    assertFalse(shell.err().contains("\tat "), shell::err);
  }

  @Test
  void snapshotsAreMadeReadListedAndDropped() throws Exception {
    makeStore();
    ok("", "snapshot", "create", "monday");
    ok("changed", "put", "-", "/d/a.txt");
    ok("new", "put", "-", "/d/b.txt");
    assertEquals("abc", ok("", "cat", "/d/a.txt", "--snapshot=monday"));
    assertEquals("changed", ok("", "cat", "/d/a.txt"));
    assertEquals("a.txt\n", ok("", "ls", "/d", "--snapshot=monday"));
    assertTrue(ok("", "stat", "/d/a.txt", "--snapshot=monday").contains("size:       3"));
    ok("", "export", "/d", "out", "--snapshot=monday");
    assertEquals("abc", Files.readString(here.resolve("out/a.txt")));
    assertFalse(Files.exists(here.resolve("out/b.txt")));
    assertTrue(ok("", "snapshot", "list").contains("monday\n"), shell::out);
    String json = ok("", "snapshot", "list", "--json");
    assertTrue(json.contains("\"name\":\"monday\"") && json.contains("\"heldBytes\":"), json);
    ok("", "verify", "--deep");
    refused(ExitCode.FAILED, "monday already exists", "snapshot", "create", "monday");
    refused(ExitCode.FAILED, "neither / nor NUL", "snapshot", "create", "a/b");
    refused(ExitCode.FAILED, "tuesday does not exist", "cat", "/d/a.txt", "--snapshot=tuesday");
    refused(ExitCode.FAILED, "tuesday does not exist", "serve", "--port=0", "--snapshot=tuesday");
    refused(ExitCode.USAGE, "--writable", "serve", "--snapshot=monday", "--writable");
    refused(ExitCode.FAILED, "tuesday does not exist", "snapshot", "drop", "tuesday");
    refused(ExitCode.USAGE, "create NAME", "snapshot");
    assertEquals("abc", ok("", "cat", "/d/a.txt", "--snapshot=monday", "--read-only"));
    ok("", "snapshot", "drop", "monday");
    assertEquals("", ok("", "snapshot", "list"));
  }

  @Test
  void aFileMayLiveForAWhile() {
    makeStore();
    ok("x", "put", "-", "/d/soon", "--ttl=1h");
    assertTrue(ok("", "stat", "/d/soon").contains("expires:    20"), shell::out);
    assertTrue(ok("", "stat", "/d/soon", "--json").contains("\"expires\":\"20"), shell::out);
    assertFalse(ok("", "stat", "/d/a.txt").contains("expires"), shell::out);
    ok("x", "put", "-", "/d/soon");
    assertFalse(ok("", "stat", "/d/soon").contains("expires"), shell::out);
    ok("", "verify");
    refused(ExitCode.USAGE, "length of time", "put", "-", "/d/x", "--ttl=0");
    refused(ExitCode.USAGE, "length of time", "put", "-", "/d/x", "--ttl=soon");
  }

  @Test
  void filesAreMadeShownMovedAndRemoved() throws IOException {
    makeStore();
    assertEquals("abc", ok("", "cat", "/d/a.txt"));
    assertEquals("bc", ok("", "cat", "/d/a.txt", "--offset=1"));
    assertEquals("b", ok("", "cat", "/d/a.txt", "--offset=1", "--length=1"));
    assertEquals("", ok("", "cat", "/d/a.txt", "--offset=99"));
    Files.writeString(here.resolve("b file"), "second");
    ok("", "put", "b file", "/d/");
    assertEquals("a.txt\nb file\n", ok("", "ls", "/d"));
    assertEquals("a.txt\n", ok("", "ls", "/d", "--limit=1"));
    assertEquals("b file\n", ok("", "ls", "/d", "--after=a.txt"));
    assertTrue(ok("", "ls", "-l", "/d/a.txt").matches("-rw-r--r-- +3  20.*  a.txt\n"), shell::out);
    refused(ExitCode.FAILED, "already exists; use --replace", "mv", "/d/a.txt", "/d/b file");
    ok("", "mv", "/d/a.txt", "/d/b file", "--replace");
    ok("", "mkdir", "/e");
    ok("", "clone", "/d/b file", "/e/");
    ok("", "clone", "/d/b file", "/e/copy");
    assertEquals("abc", ok("", "cat", "/e/b file"));
    refused(ExitCode.FAILED, "already exists; use --replace", "clone", "/e/copy", "/e/b file");
    refused(ExitCode.FAILED, "to copy into it write /e/", "clone", "/d/b file", "/e");
    refused(ExitCode.FAILED, "is a directory", "clone", "/d", "/f");
    ok("", "rm", "/e/copy");
    ok("", "rm", "/e/b file");
    refused(ExitCode.FAILED, "to move into it write /e/", "mv", "/d", "/e");
    ok("", "mv", "/d", "/e/");
    assertEquals("/e\n/e/d\n/e/d/b file\n", ok("", "ls", "-R"));
    refused(ExitCode.FAILED, "is not empty; use rm -r", "rm", "/e");
    ok("", "rm", "-r", "/e");
    assertEquals("", ok("", "ls"));
    ok("", "rm", "-f", "/nothing");
    assertTrue(ok("", "verify", "--deep").isEmpty());
    assertTrue(shell.err().contains("sound"), shell::err);
  }

  @Test
  void filesAreEditedInTheMiddle() throws IOException {
    makeStore();
    ok("12", "splice", "/d/a.txt", "-", "--offset=1");
    assertEquals("a12bc", ok("", "cat", "/d/a.txt"));
    Files.writeString(here.resolve("some"), "xyz");
    ok("", "splice", "/d/a.txt", "some", "--offset=1", "--remove=2", "--engine=threads");
    assertEquals("axyzbc", ok("", "cat", "/d/a.txt"));
    String json = ok("", "cut", "/d/a.txt", "--offset=0", "--length=4", "--json");
    assertTrue(json.contains("\"sizeBytes\":2"), json);
    ok("!", "splice", "/d/a.txt", "-", "--offset=2");
    assertEquals("bc!", ok("", "cat", "/d/a.txt"));
    refused(ExitCode.FAILED, "which has 3", "cut", "/d/a.txt", "--offset=2", "--length=2");
    refused(ExitCode.FAILED, "which has 3", "splice", "/d/a.txt", "some", "--offset=4");
    refused(ExitCode.FAILED, "is a directory", "cut", "/d", "--offset=0", "--length=1");
    refused(ExitCode.USAGE, "--length", "cut", "/d/a.txt", "--offset=0");
    refused(ExitCode.USAGE, "is a directory", "splice", "/d/a.txt", ".", "--offset=0");
    refused(ExitCode.FAILED, "nothing", "splice", "/d/a.txt", "nothing", "--offset=0");
    assertEquals("bc!", ok("", "cat", "/d/a.txt"));
    byte[] large = new byte[1_000_000];
    Files.write(here.resolve("large"), large);
    ok("", "splice", "/d/a.txt", "large", "--offset=1", "--remove=1");
    String stat = ok("", "stat", "/d/a.txt");
    assertTrue(stat.contains("size:       1000002\nstored:     1003520\npieces:     1\n"), stat);
    ok("", "edit-policy", "/d/a.txt", "--eos=16");
    assertTrue(ok("", "stat", "/d/a.txt").contains("edits:      eos 16\n"), shell::out);
    ok("", "splice", "/d/a.txt", "some", "--offset=500000");
    assertTrue(ok("", "stat", "/d/a.txt").contains("pieces:     3\n"), shell::out);
    ok("", "cut", "/d/a.txt", "--offset=500000", "--length=3");
    ok("", "edit-policy", "/d/a.txt", "--esm=4");
    ok("", "splice", "/d/a.txt", "some", "--offset=500000");
    ok("", "cut", "/d/a.txt", "--offset=500000", "--length=3", "--engine=threads");
    json = ok("", "stat", "/d/a.txt", "--json");
    assertTrue(json.contains("\"editPolicy\":\"esm 4\""), json);
    ok("", "edit-policy", "/d/a.txt", "--starburst");
    ok("", "splice", "/d/a.txt", "some", "--offset=700000");
    ok("", "cut", "/d/a.txt", "--offset=700000", "--length=3");
    ok("", "edit-policy", "/d/a.txt", "--none");
    assertEquals(false, ok("", "stat", "/d/a.txt").contains("edits:"), shell::out);
    ok("", "rewrite", "/d/a.txt", "--rate=64k");
    assertTrue(ok("", "stat", "/d/a.txt").contains("pieces:     1\n"), shell::out);
    refused(ExitCode.FAILED, "is a directory", "rewrite", "/d");
    refused(ExitCode.USAGE, "1 to 256", "edit-policy", "/d/a.txt", "--eos=0");
    refused(ExitCode.USAGE, "--esm: leafBlocks is 257", "edit-policy", "/d/a.txt", "--esm=257");
    refused(ExitCode.USAGE, "--starburst", "edit-policy", "/d/a.txt");
    refused(ExitCode.USAGE, "mutually exclusive", "edit-policy", "/d", "--starburst", "--eos=4");
    assertEquals("b", ok("", "cat", "/d/a.txt", "--length=1"));
    assertEquals("!", ok("", "cat", "/d/a.txt", "--offset=1000001"));
    ok("", "verify", "--deep");
  }

  @Test
  void filesAreJoinedAndDivided() throws IOException {
    makeStore();
    byte[] large = new byte[300_000];
    Arrays.fill(large, (byte) 'x');
    Files.write(here.resolve("large"), large);
    ok("", "put", "large", "/large");
    String all = "x".repeat(300_000);
    ok("", "join", "/all", "/large", "/d/a.txt", "/large");
    assertEquals(all + "abc" + all, ok("", "cat", "/all"));
    refused(ExitCode.FAILED, "/all exists; use --replace", "join", "/all", "/large");
    String json = ok("", "join", "/all", "/all", "/d/a.txt", "--replace", "--json");
    assertTrue(json.contains("\"sizeBytes\":600006"), json);
    assertTrue(json.contains("\"path\":\"/all\""), json);
    ok("", "join", "/part", "/all", "--offset=299999", "--length=5", "--engine=threads");
    assertEquals("xabcx", ok("", "cat", "/part"));
    ok("", "join", "/end", "/all", "--offset=600002");
    assertEquals("xabc", ok("", "cat", "/end"));
    ok("", "cut", "/all", "--offset=0", "--length=299999");
    assertEquals("xabc" + all + "abc", ok("", "cat", "/all"));
    refused(ExitCode.FAILED, "nothing", "join", "/new", "/large", "/nothing");
    refused(ExitCode.FAILED, "is a directory", "join", "/new", "/large", "/d");
    refused(ExitCode.FAILED, "which has 3", "join", "/new", "/d/a.txt", "--offset=4");
    refused(ExitCode.FAILED, "which has 3", "join", "/new", "/d/a.txt", "--length=4");
    refused(ExitCode.USAGE, "one source", "join", "/new", "/large", "/end", "--length=4");
    refused(ExitCode.USAGE, "/source", "join", "/new");
    assertEquals("all\nd\nend\nlarge\npart\n", ok("", "ls"));
    assertFalse(ok("", "stat", "/all").contains("expires"), shell::out);
    ok("", "verify", "--deep");
  }

  @Test
  void aRemovedTreeIsTakenApartWhenTheCommandEnds() throws IOException {
    makeStore();
    Path tree = Files.createDirectory(here.resolve("tree"));
    for (int directory = 0; directory < 30; directory++) {
      Path below = Files.createDirectory(tree.resolve("d" + directory));
      for (int file = 0; file < 40; file++) {
        Files.writeString(below.resolve("f" + file), "content " + file);
      }
    }
    ok("", "import", "tree", "--into=/t", "--store=s.upcall");
    ok("", "rm", "-r", "/t");
    try (Upcall store = Upcall.open(here.resolve("s.upcall"), UpcallConfig.DEFAULT)) {
      while (store.fileManagerInfo().reclaiming()) {
        Thread.yield();
      }
      assertEquals(0, store.fileManagerInfo().reclaimedEntries(), "left for the next opening");
    }
  }

  @Test
  void jsonIsWellFormedEverywhere() throws IOException {
    makeStore();
    Files.createDirectory(here.resolve("dir"));
    String[][] commands = {
      {"ls", "-l", "-R"},
      {"stat", "/d/a.txt"},
      {"cat", "/d/a.txt"},
      {"config"},
      {"verify"},
      {"mkdir", "/m"},
      {"mv", "/m", "/n"},
      {"clone", "/d/a.txt", "/c"},
      {"rm", "/n"},
      {"put", "-", "/odd \u0001 \" name"},
      {"import", "dir", "--store=s.upcall"},
      {"export", "/", "out"},
    };
    for (String[] command : commands) {
      String[] args = java.util.Arrays.copyOf(command, command.length + 1);
      args[command.length] = "--json";
      checkJson(ok("", args));
    }
    assertTrue(ok("", "cat", "/d/a.txt", "--json").contains("\"content\":\"YWJj\""));
    assertEquals(ExitCode.FAILED, shell.run("stat", "/nothing", "--json"));
    checkJson(shell.out());
    assertTrue(shell.out().contains("\"kind\":\"NotFound\""), shell::out);
  }

  private static void checkJson(String text) throws IOException {
    int documents = 0;
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      while (parser.nextToken() != null) {
        parser.skipChildren();
        documents++;
      }
    }
    assertEquals(1, documents, text);
  }

  @Test
  void wrongUsageIsToldInOneLine() {
    refused(ExitCode.USAGE, "--help", "frobnicate");
    refused(ExitCode.USAGE, "--help", "cat");
    refused(ExitCode.USAGE, "no store named", "ls");
    refused(ExitCode.USAGE, "not a size", "ls", "--memory=much");
    refused(ExitCode.USAGE, "at least", "config", "--memory=1m");
    refused(ExitCode.USAGE, "at least", "config", "--volume-size=1m");
    refused(ExitCode.USAGE, "auto, ring or channel", "config", "--disk=tape");
    makeStore();
    refused(ExitCode.USAGE, "begins with /", "ls", "x", "--store=s.upcall");
    refused(ExitCode.FAILED, "does not exist", "import", "nowhere");
  }

  @Test
  void theTimeInLineIsASetting() {
    assertEquals(ExitCode.OK, shell.run("config", "--busy-timeout=5s"));
    for (String limit : new String[] {"places.waitNanos", "http.admission.waitNanos"}) {
      assertTrue(
          shell.out().matches("(?s).*" + limit + " +5000000000 +--busy-timeout\n.*"), shell::out);
    }
    refused(ExitCode.USAGE, "not a length of time", "config", "--busy-timeout=soon");
  }

  @Test
  void whatMayBeAskedIsShownWithWhatHappensBeyond() {
    assertEquals(ExitCode.OK, shell.run("config", "--limits", "--volume-size=128m"));
    List<String> lines = shell.out().lines().toList();
    assertTrue(lines.getFirst().matches("path.maxNameBytes +255 +Invalid +a name.*"), shell::out);
    assertTrue(lines.getLast().matches("capBytes +134217728 +VolumeFull .*"), shell::out);
    assertTrue(shell.out().contains("transactions.maxOpen "), shell::out);
  }

  @Test
  void theRecorderIsASetting() {
    assertEquals(ExitCode.OK, shell.run("config", "--records-kept=0"));
    assertTrue(
        shell.out().matches("(?s).*dispatcher.recordsKept +0 +--records-kept\n.*"), shell::out);
    refused(ExitCode.USAGE, "a power of two", "config", "--records-kept=5");
  }

  @Test
  void alone() {
    assertEquals(ExitCode.OK, shell.run());
    assertTrue(shell.out().contains("upcall serve DIR"), shell::out);
    assertTrue(shell.out().contains("verify"), shell::out);
    assertTrue(shell.out().contains("  bench "), shell::out);
    assertTrue(shell.out().contains("  specweb "), shell::out);
  }

  @Test
  void theStoreIsFoundByVariableOrAlone() {
    makeStore();
    assertEquals("d\n", ok("", "ls"));
    ok("", "put", "-", "/x", "--create", "--store=t.upcall", "--volume-size=64m");
    refused(ExitCode.USAGE, "2 *.upcall files", "ls");
    shell.variable(StoreAccess.VARIABLE, "t.upcall");
    assertEquals("x\n", ok("", "ls"));
  }

  @Test
  void whatIsNoStoreIsRefusedAndNotHarmed() throws IOException {
    refused(ExitCode.FAILED, "no store at", "ls", "--store=none.upcall");
    String missing = "/no does not exist";
    refused(ExitCode.FAILED, missing, "ls", "--store=no/none.upcall");
    refused(ExitCode.FAILED, missing, "import", ".", "--store=no/none.upcall");
    byte[] foreign = new byte[1 << 20];
    new java.util.Random(1).nextBytes(foreign);
    Path path = Files.write(here.resolve("foreign.upcall"), foreign);
    refused(ExitCode.FAILED, "foreign.upcall", "ls", "--store=foreign.upcall");
    assertArrayEquals(foreign, Files.readAllBytes(path));
    Files.write(path, new byte[0]);
    refused(ExitCode.FAILED, "foreign.upcall", "ls", "--store=foreign.upcall");
    refused(ExitCode.FAILED, "", "ls", "--store=.");
    Files.delete(path);
    makeStore();
    Path store = here.resolve("s.upcall");
    try (RandomAccessFile file = new RandomAccessFile(store.toFile(), "rw")) {
      file.setLength(file.length() / 2 + 100);
    }
    byte[] cut = Files.readAllBytes(store);
    refused(ExitCode.FAILED, "s.upcall", "mkdir", "/x");
    assertEquals("d\n", ok("", "ls"));
    assertTrue(shell.err().contains("warning: "), shell::err);
    assertArrayEquals(cut, Files.readAllBytes(store));
  }

  @Test
  void aStoreOpenedTwiceIsRefused() {
    makeStore();
    Upcall first =
        Upcall.open(here.resolve("s.upcall"), UpcallConfig.DEFAULT.withMemoryBytes(16 << 20));
    try (first) {
      refused(ExitCode.FAILED, "in use", "ls");
      assertEquals("abc", new String(first.readAllBytes("/d/a.txt")));
    }
    assertEquals("d\n", ok("", "ls"));
  }

  @Test
  void aStoreThatSomebodyHasForAMomentIsWaitedFor() throws Exception {
    makeStore();
    for (String[] command : new String[][] {{"ls"}, {"serve", "--port=0"}}) {
      CompletableFuture<Integer> code;
      try (Upcall _ =
          Upcall.open(here.resolve("s.upcall"), UpcallConfig.DEFAULT.withMemoryBytes(16 << 20))) {
        code = CompletableFuture.supplyAsync(() -> shell.run(command));
        awaitWords("in use .*; waiting, at most", code);
      }
      if (command[0].equals("serve")) {
        awaitWords("serving on ", code);
        shell.stop.ask();
      }
      assertEquals(ExitCode.OK, code.get(60, TimeUnit.SECONDS), shell::err);
    }
  }

  @Test
  void servingATakenPortFails() throws IOException {
    makeStore();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = "--port=" + taken.getLocalPort();
      refused(ExitCode.FAILED, "choose another with --port", "serve", port);
      refused(
          ExitCode.FAILED,
          "choose another with --admin-port",
          "serve",
          "--port=0",
          "--admin-" + port.substring(2));
    }
    refused(ExitCode.USAGE, "--port", "serve", "--port=70000");
    refused(ExitCode.USAGE, "--engine=fsm", "serve", "--snapshot=a", "--engine=threads");
    refused(ExitCode.USAGE, "--admin-port", "serve", "--admin-port=-1");
    refused(ExitCode.USAGE, "from 1 to 64", "serve", "--http-threads=0");
    refused(ExitCode.USAGE, "from 1 to 64", "serve", "--http-threads=65");
    refused(ExitCode.USAGE, "--engine=fsm", "serve", "--http-threads=2", "--engine=virtual");
    refused(ExitCode.USAGE, "leave out", "serve", "--http-threads=2", "--standby");
    String resumable = "--resumable-uploads";
    refused(ExitCode.USAGE, "goes with --writable", "serve", resumable);
    refused(ExitCode.USAGE, "--engine=fsm", "serve", "--writable", resumable, "--engine=threads");
  }

  /** Serves the tree at free ports. */
  private CompletableFuture<Integer> serve(String... more) {
    List<String> line = new ArrayList<>(List.of("serve", "tree", "--port=0", "--admin-port=0"));
    line.addAll(List.of(more));
    return CompletableFuture.supplyAsync(() -> shell.run(line.toArray(String[]::new)));
  }

  /** Where a server is, as it says behind some words. */
  private URI said(String words, CompletableFuture<Integer> code) {
    awaitWords(words, code);
    return URI.create(
        shell.err().replaceFirst("(?s).*" + words + "(http://[0-9.]+:[0-9]+/).*", "$1"));
  }

  /** Until a command has said something, or has ended. */
  private void awaitWords(String pattern, CompletableFuture<Integer> code) {
    while (!Pattern.compile(pattern).matcher(shell.err()).find() && !code.isDone()) {
      Thread.onSpinWait();
    }
  }

  private static HttpResponse<String> get(HttpClient client, URI uri) throws Exception {
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine=fsm", "http-threads=2", "engine=threads", "engine=virtual"})
  void aDirectoryIsServedUntilTheSignal(String how) throws Exception {
    if (how.startsWith("http-threads") && HttpThreads.unavailable().isPresent()) {
      refused(ExitCode.FAILED, "leave out --http-threads", "serve", "--" + how);
      return;
    }
    Path tree = Files.createDirectory(here.resolve("tree"));
    Files.writeString(tree.resolve("a.txt"), "over http");
    CompletableFuture<Integer> code = serve("--" + how, "--volume-size=64m");
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI root = said("serving on ", code);
      assertEquals("over http", get(client, root.resolve("a.txt")).body());
      URI admin = said("admin on ", code);
      String metrics = get(client, admin.resolve("metrics")).body();
      assertTrue(metrics.contains("\nupcall_http_requests_total 1.0\n"), metrics);
    } finally {
      shell.stop.ask();
    }
    assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
    assertTrue(shell.err().contains("the store is closed"), shell::err);
    assertEquals("over http", new TestShellOutput(here).of("cat", "/a.txt"));
  }

  /** Begins to download, and takes the first byte of what is more than sockets hold. */
  private static void beginDownload(Socket socket, URI root) throws IOException {
    socket.connect(new InetSocketAddress(root.getHost(), root.getPort()));
    socket.getOutputStream().write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
    assertEquals('H', socket.getInputStream().read());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void whileItStopsTheAdminPortAnswers(String engine) throws Exception {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Files.write(tree.resolve("large"), new byte[LARGE_BYTES]);
    CompletableFuture<Integer> code =
        serve("--engine=" + engine, "--drain=60s", "--volume-size=128m");
    try (HttpClient client = HttpClient.newHttpClient();
        Socket busy = new Socket()) {
      URI ready = said("admin on ", code).resolve("readyz");
      beginDownload(busy, said("serving on ", code));
      assertEquals(200, get(client, ready).statusCode());
      shell.stop.ask();
      HttpResponse<String> stopping = get(client, ready);
      assertEquals(503, stopping.statusCode());
      assertTrue(stopping.body().contains("\"stopping\""), stopping.body());
      assertTrue(busy.getInputStream().readAllBytes().length >= LARGE_BYTES, "it is finished");
      assertEquals(ExitCode.OK, code.get(60, TimeUnit.SECONDS), shell::err);
    } finally {
      shell.stop.ask();
    }
    assertTrue(shell.err().endsWith("the store is closed\n"), shell::err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void slowClientsGetTheDrainTime(String engine) throws Exception {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Files.write(tree.resolve("large"), new byte[LARGE_BYTES]);
    CompletableFuture<Integer> code =
        serve("--engine=" + engine, "--drain=1s", "--volume-size=128m");
    try (Socket slow = new Socket()) {
      slow.setReceiveBufferSize(4096);
      beginDownload(slow, said("serving on ", code));
      shell.stop.ask();
      assertEquals(ExitCode.OK, code.get(60, TimeUnit.SECONDS), shell::err);
    } finally {
      shell.stop.ask();
    }
    assertTrue(
        shell.err().endsWith("the store is closed; cut off: 1 downloads, 0 uploads\n"), shell::err);
  }

  /** Output of one command in a shell of its own. */
  private record TestShellOutput(Path directory) {
    String of(String... args) {
      TestShell other = new TestShell(directory);
      assertEquals(ExitCode.OK, other.run(args), other::err);
      return other.out();
    }
  }
}
