package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings of a directory in which a page of inodes is lost in both of its copies. */
class DamagedListingTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);
  private static final int FILES = 400;
  private static final String LOST = "f0200";

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void loseAnInode() throws IOException {
    shell = new TestShell(here);
    Path volume = here.resolve("s.upcall");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      store.createDirectory("/d");
      for (int i = 0; i < FILES; i++) {
        store.write("/d/" + name(i), content(name(i)));
      }
    }
    // Content of so few bytes is in the inode itself, so it tells where that lies.
    byte[] image = Files.readAllBytes(volume);
    byte[] mark = content(LOST);
    int damaged = 0;
    try (FileChannel channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
      for (int block = image.length - 4096; block >= 0 && damaged < 2; block -= 4096) {
        if (contains(image, block, mark)) {
          channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), block + 2000);
          damaged++;
        }
      }
    }
    assertEquals(2, damaged, "both copies of the page");
  }

  private static String name(int file) {
    return "f%04d".formatted(file);
  }

  private static byte[] content(String name) {
    return ("what is in the file of the name " + name).getBytes(StandardCharsets.UTF_8);
  }

  private static boolean contains(byte[] image, int block, byte[] mark) {
    return new String(image, block, 4096, StandardCharsets.ISO_8859_1)
        .contains(new String(mark, StandardCharsets.ISO_8859_1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void ls_ofAnInodeThatIsLost_listsTheOthersAndNamesIt(String engine) {
    assertEquals(
        ExitCode.FAILED, shell.run("ls", "-l", "/d", "--store=s.upcall", "--engine=" + engine));
    assertOthersAreListed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void lsJson_ofAnInodeThatIsLost_listsTheOthersAndNamesIt(String engine) {
    assertEquals(
        ExitCode.FAILED, shell.run("ls", "/d", "--json", "--store=s.upcall", "--engine=" + engine));
    assertOthersAreListed();
    String out = shell.out();
    assertTrue(out.substring(out.indexOf("\"problems\"")).contains("\"/d/" + LOST + "\""), out);
    assertTrue(out.stripTrailing().endsWith("}"), out);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void page_ofAnInodeThatIsLost_hasTheOthersAndNamesIt(String engine) throws Exception {
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () ->
                shell.run(
                    "serve", "--store=s.upcall", "--no-import", "--engine=" + engine, "--port=0"));
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!shell.err().contains("(Ctrl-C stops)") && !code.isDone()) {
        Thread.onSpinWait();
      }
      String url = shell.err().replaceFirst("(?s).*serving on (http:\\S+).*", "$1") + "d/";
      String json = get(client, url + "?limit=1000", "application/json");
      assertTrue(json.contains("{\"name\":\"" + LOST + "\",\"kind\":\"unreadable\"}"), json);
      assertTrue(json.contains("{\"name\":\"" + name(0) + "\",\"kind\":\"file\""), json);
      for (int i = 0; i < FILES; i++) {
        assertTrue(json.contains("{\"name\":\"" + name(i) + "\""), name(i));
      }
      String html = get(client, url + "?sort=size&limit=1000", "text/html");
      assertTrue(html.contains("<bdi>" + LOST + "</bdi> <small>(cannot be read)</small>"), html);
      assertTrue(html.contains("<a href=\"" + name(FILES - 1) + "\">"), html);
      assertTrue(html.endsWith("</html>\n"), html);
    } finally {
      shell.stop.ask();
    }
    assertEquals(ExitCode.OK, code.get(30, TimeUnit.SECONDS), shell::err);
  }

  private static String get(HttpClient client, String url, String accepts) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("Accept", accepts).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private void assertOthersAreListed() {
    assertTrue(shell.err().contains("/d/" + LOST + ": "), shell::err);
    assertFalse(shell.err().contains("/d/" + name(0) + ": "), shell::err);
    assertTrue(shell.out().contains(name(0)), shell::out);
    assertTrue(shell.out().contains(name(FILES - 1)), shell::out);
  }
}
