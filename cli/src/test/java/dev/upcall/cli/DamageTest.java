package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands and a server say of a store in which one block of one file is damaged. */
class DamageTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(64L << 20);
  private static final int AT = 131_072;
  private static final String PLACE = "content of /d/f2 from its byte 131072 on, at byte offset ";

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void makeDamagedStore() throws IOException {
    shell = new TestShell(here);
    Path volume = here.resolve("s.upcall");
    byte[] damaged = content(2);
    try (Upcall store = Upcall.create(volume, SMALL)) {
      store.createDirectory("/d");
      for (int i = 0; i < 4; i++) {
        store.write("/d/f" + i, content(i));
      }
      store.fsm().createSnapshot("then");
      store.cloneFile("/d/f2", "/clone");
    }
    byte[] image = Files.readAllBytes(volume);
    int block = 0;
    while (!Arrays.equals(image, block, block + 4096, damaged, AT, AT + 4096)) {
      block += 4096;
    }
    try (FileChannel channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap("rot".getBytes(StandardCharsets.UTF_8)), block + 7);
    }
  }

  private static byte[] content(int file) {
    byte[] bytes = new byte[300_000];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  private void run(int code, String... args) {
    assertEquals(code, shell.run(args), () -> String.join(" ", args) + ": " + shell.err());
  }

  private void said(String words) {
    String all = shell.out() + shell.err();
    assertTrue(all.contains(words), () -> words + " is not in: " + all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void export_oneBlockDamaged_isPartlyDone(String engine) throws IOException {
    run(ExitCode.PARTLY, "export", "/d", "out", "--store=s.upcall", "--engine=" + engine, "--json");
    said("not kept: /d/f2: bytes 131072 to ");
    said(PLACE);
    said("\"files\":3,");
    said("\"problemCount\":1,");
    said("\"offset\":131072,");
    assertFalse(Files.exists(here.resolve("out/f2")));
    assertEquals(300_000, Files.size(here.resolve("out/f3")));
    run(ExitCode.PARTLY, "export", "/d", "again", "--store=s.upcall", "--read-only");
    assertEquals(300_000, Files.size(here.resolve("again/f3")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void cat_damagedFile_namesPathAndOffset(String engine) {
    run(ExitCode.FAILED, "cat", "/d/f2", "--store=s.upcall", "--engine=" + engine);
    said(PLACE);
    run(ExitCode.FAILED, "cat", "/d/f2", "--store=s.upcall", "--engine=" + engine, "--json");
    said("\"kind\":\"Corrupt\"");
    said("\"path\":\"/d/f2\"");
    said("\"offset\":131072");
    assertTrue(shell.out().stripTrailing().endsWith("}"), shell::out);
  }

  @Test
  void verifyDeep_damagedBlock_namesEachFileThatHasIt() {
    run(ExitCode.PARTLY, "verify", "--deep", "--store=s.upcall", "--json");
    said("  of /d/f2, from its byte 131072 on\n");
    said("  of /clone, from its byte 131072 on\n");
    said("  of /d/f2 in snapshot then, from its byte 131072 on\n");
    said("\"path\":\"/d/f2\",");
    said("\"snapshot\":\"then\",");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void serve_damageMet_isLoggedAndTold(String engine) throws Exception {
    CompletableFuture<Integer> code = serve(engine);
    try (HttpClient client = HttpClient.newHttpClient()) {
      String url = url(code);
      String admin = admin(code);
      assertTrue(get(client, admin + "readyz").contains("\"damagedReads\":0"));
      assertEquals(300_000, get(client, url + "d/f3").length());
      for (int i = 0; i < 3; i++) {
        assertThrows(IOException.class, () -> get(client, url + "d/f2"));
      }
      await("damage: ", code);
      said(PLACE);
      String ready = get(client, admin + "readyz");
      assertTrue(ready.startsWith("{\"status\":\"ready\","), ready);
      assertTrue(ready.contains(PLACE), ready);
      String meters = get(client, admin + "metrics");
      assertTrue(meters.contains("upcall_store_damage_total "), "the meter is missing");
      assertFalse(meters.contains("upcall_store_damage_total 0.0"), "the meter stands at 0");
      assertTrue(meters.contains("\nupcall_store_damaged 1.0\n"), "a damaged place is needed");
    } finally {
      shell.stop.ask();
    }
    assertEquals(ExitCode.OK, code.get(30, TimeUnit.SECONDS), shell::err);
    assertEquals(1, shell.err().split("damage: ", -1).length - 1, shell::err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsm", "threads"})
  void serve_damagedFileThatWasReplaced_isWellAgain(String engine) throws Exception {
    run(ExitCode.OK, "rm", "/clone", "--store=s.upcall");
    run(ExitCode.OK, "snapshot", "drop", "then", "--store=s.upcall");
    CompletableFuture<Integer> code = serve(engine);
    try (HttpClient client = HttpClient.newHttpClient()) {
      String url = url(code);
      String admin = admin(code);
      assertThrows(IOException.class, () -> get(client, url + "d/f2"));
      assertTrue(get(client, admin + "readyz").contains(PLACE), shell::err);
      TestShell other = new TestShell(here).input(content(7));
      assertEquals(ExitCode.OK, other.run("put", "-", "/d/f2", "--store=s.upcall"), other::err);
      assertEquals(ExitCode.OK, other.run("checkpoint", "--store=s.upcall"), other::err);
      while (!get(client, admin + "readyz").contains("\"damage\":[]") && !code.isDone()) {
        Thread.onSpinWait();
      }
      assertEquals(300_000, get(client, url + "d/f2").length());
      assertTrue(get(client, admin + "readyz").contains("\"damage\":[]"), shell::err);
    } finally {
      shell.stop.ask();
    }
    assertEquals(ExitCode.OK, code.get(30, TimeUnit.SECONDS), shell::err);
  }

  private CompletableFuture<Integer> serve(String engine) {
    return CompletableFuture.supplyAsync(
        () ->
            shell.run(
                "serve",
                "--store=s.upcall",
                "--no-import",
                "--engine=" + engine,
                "--port=0",
                "--admin-port=0"));
  }

  private String url(CompletableFuture<Integer> code) {
    await("(Ctrl-C stops)", code);
    return shell.err().replaceFirst("(?s).*serving on (http:\\S+).*", "$1");
  }

  private String admin(CompletableFuture<Integer> code) {
    await("readyz", code);
    return shell.err().replaceFirst("(?s).*admin on (http:\\S+)metrics.*", "$1");
  }

  private void await(String words, CompletableFuture<Integer> code) {
    while (!shell.err().contains(words) && !code.isDone()) {
      Thread.onSpinWait();
    }
  }

  private static String get(HttpClient client, String url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return client
        .send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1))
        .body();
  }
}
