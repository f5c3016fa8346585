package dev.upcall.specweb.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.client.StubServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code specweb run}: what it says, and its exit codes. */
@Timeout(180)
class RunCommandTest {
  private static final String SHORT =
      "--dirs=2 --warm-seconds=0.1 --run-seconds=0.4 --points=2 --processes=4";

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String url, String... more) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    List<String> arguments = new ArrayList<>(List.of("run", url));
    arguments.addAll(List.of(SHORT.split(" ")));
    arguments.addAll(List.of(more));
    return line.execute(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rate=200",
        "--rate=200 --mode=open --threads=2",
        "--mode=closed --clients=1,3 --think-millis=1",
        "--rate=100 --test=spec99_static --weights=zipf99",
        "--mode=spec --transport=nio",
      })
  void pointsAreMeasured(String options) {
    try (StubServer server = new StubServer()) {
      assertEquals(0, run(server.url(), options.split(" ")), () -> err.toString() + out);
      String last = out.toString().lines().toList().getLast();
      assertTrue(last.contains("SPECweb96-style (non-compliant, research)"), last);
      assertTrue(last.contains("profile custom, 0 errors"), last);
      assertTrue(err.toString().contains("point 2 of 2"), err.toString());
    }
  }

  @Test
  void errorsAreNamedAndMakeThePointInvalid() {
    AtomicInteger served = new AtomicInteger();
    StubServer.Manners wrong =
        (request, reply) -> {
          if (served.incrementAndGet() % 10 == 9) {
            reply.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".getBytes());
            return false;
          }
          return StubServer.wellMannered(request, reply);
        };
    try (StubServer server = new StubServer(wrong)) {
      assertEquals(3, run(server.url(), "--mode=closed", "--clients=2"), err::toString);
      assertTrue(
          out.toString().matches("(?s).* INVALID \\d+ x status \\(/file_set/.*"), out.toString());
    }
  }

  @Test
  void reportsAreWritten() throws IOException {
    Path json = folder.resolve("report.json");
    Path html = folder.resolve("report.html");
    try (StubServer server = new StubServer()) {
      assertEquals(0, run(server.url(), "--rate=100", "--json=" + json, "--html=" + html));
    }
    assertTrue(Files.readString(json).contains("\"kind\" : \"upcall-specweb\""));
    Path again = folder.resolve("again.html");
    CommandLine line = Main.commandLine();
    assertEquals(0, line.execute("page", json.toString(), again.toString()));
    assertEquals(Files.readString(html), Files.readString(again));
  }

  @Test
  void reportOnStandardOutputIsAlone() {
    try (StubServer server = new StubServer()) {
      assertEquals(0, run(server.url(), "--json=-"), err::toString);
    }
    assertTrue(out.toString().startsWith("{"), out.toString());
    assertTrue(out.toString().endsWith("}\n"), out.toString());
    assertTrue(out.toString().contains("\"profile\" : \"custom\""), out.toString());
  }

  @Test
  void pageOfSomethingElseIsRefused() throws IOException {
    Path other = Files.writeString(folder.resolve("other.json"), "{\"kind\": \"else\"}");
    CommandLine line = Main.commandLine();
    line.setErr(new PrintWriter(err));
    assertEquals(1, line.execute("page", other.toString(), folder.resolve("x.html").toString()));
    assertTrue(err.toString().startsWith("specweb: not a report"), err.toString());
  }

  @Test
  void serverWithoutTheSetFailsInOneLine() {
    StubServer.Manners empty =
        (request, reply) -> {
          reply.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".getBytes());
          return false;
        };
    try (StubServer server = new StubServer(empty)) {
      assertEquals(1, run(server.url(), "--rate=10"));
      assertTrue(err.toString().startsWith("specweb: a GET of http://127"), err.toString());
      assertEquals(1, err.toString().lines().count());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://192.0.2.7/",
        "https://127.0.0.1/",
        "http://127.0.0.1:1/ --rate=0",
        "http://127.0.0.1:1/ --rate=many",
        "http://127.0.0.1:1/ --mode=closed --rate=5",
        "http://127.0.0.1:1/ --threads=0",
        "http://127.0.0.1:1/ --points=0",
        "http://127.0.0.1:1/ --points=101",
        "http://127.0.0.1:1/ --check-every=0",
        "http://127.0.0.1:1/ --per-connection=-1",
        "http://127.0.0.1:1/ --timeout-seconds=0",
        "http://127.0.0.1:1/ --run-seconds=0",
        "http://127.0.0.1:1/ --dirs=0",
        "http://127.0.0.1:1/ --outstanding=0",
        "http://127.0.0.1:1/ --transport=carrier-pigeon",
        "http://127.0.0.1:1/ --json=/no/such/folder/report.json",
        "http://127.0.0.1:1/ --html=/",
        "http://127.0.0.1:1/ --sources=not.an.address.invalid",
      })
  void wrongUsageIsTold(String arguments) {
    CommandLine line = Main.commandLine();
    line.setErr(new PrintWriter(err));
    assertEquals(2, line.execute(("run " + arguments).split(" ")), err::toString);
    assertEquals(1, err.toString().lines().count(), err.toString());
    assertTrue(err.toString().endsWith("(see: upcall specweb run --help)\n"), err.toString());
  }
}
