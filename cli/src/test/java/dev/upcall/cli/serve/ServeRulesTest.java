package dev.upcall.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code upcall access}, and the rules of a server that a user starts. */
class ServeRulesTest {
  private static final Pattern URL = Pattern.compile("\"(url|adminUrl)\":\"http://([^/]+)/\"");

  @TempDir Path here;
  private TestShell shell;
  private Path rules;
  private String secret;

  @BeforeEach
  void make() throws IOException {
    shell = new TestShell(here);
    assertEquals(ExitCode.OK, shell.run("access", "new", "alice"), shell::err);
    String[] made = shell.out().split("\n");
    secret = made[0];
    rules = here.resolve("rules");
    Files.writeString(
        rules, made[1] + "\ngroup staff alice\nallow read,list / anyone\nallow write /in staff\n");
    Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void aTokenAndItsRulesAreLookedAt() {
    assertTrue(secret.matches("upcall_[A-Za-z0-9_-]{27}"), secret);
    assertEquals(ExitCode.OK, shell.run("access", "list", "rules"), shell::err);
    assertEquals(
        """
        alice                tokens 1  certificates 0
        line 3    list,read        /  anyone
        line 4    write            /in  staff
        """,
        shell.out());
    assertEquals("list,read,write\n", checked("/in/x", "alice"));
    assertEquals("list,read\n", checked("/in", "anyone"));
    assertEquals(ExitCode.USAGE, shell.run("access", "check", "rules", "/", "staff"));
    assertEquals(ExitCode.USAGE, shell.run("access", "check", "rules", "/", "bob"));
    assertEquals(ExitCode.USAGE, shell.run("access", "new", "anyone"));
    assertEquals(ExitCode.USAGE, shell.run("access", "new", "bob", "--expires", "soon"));
    assertFalse((shell.out() + shell.err()).contains("upcall_"), shell::err);
  }

  private String checked(String path, String who) {
    assertEquals(ExitCode.OK, shell.run("access", "check", "rules", path, who), shell::err);
    return shell.out();
  }

  @Test
  void aServerWithRulesThatCannotBeReadDoesNotStart() throws IOException {
    Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-r-----"));
    refused("chmod 600");
    Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(rules, "\nallow all / anyone\n");
    refused(rules + ":2: the rights are list, read and write");
    assertEquals(
        ExitCode.USAGE,
        shell.run("serve", "--create", "--store", "s", "--access", "rules", "--engine=threads"));
    assertFalse(Files.exists(here.resolve("s")));
  }

  private void refused(String why) {
    assertEquals(
        ExitCode.FAILED, shell.run("serve", "--create", "--store", "s", "--access", "rules"));
    assertTrue(shell.err().contains(why), shell::err);
  }

  @Test
  void aServerWithBadLinesForBrowsersDoesNotStart() throws IOException {
    Files.writeString(here.resolve("web"), "charset / utf-8\nfield / Date today\n");
    assertEquals(ExitCode.FAILED, shell.run("serve", "--create", "--store", "s", "--web", "web"));
    String why = here.resolve("web") + ":2: Date is for the server to say";
    assertTrue(shell.err().contains(why), shell::err);
    assertFalse(Files.exists(here.resolve("s")));
  }

  @Test
  void aServerKeepsTheRulesAndItsAdminPortAnswersToItsNames() throws Exception {
    Files.writeString(here.resolve("web"), "cors / GET *\n");
    CompletableFuture<Integer> ended =
        CompletableFuture.supplyAsync(
            () ->
                shell.run(
                    "serve",
                    "--create",
                    "--writable",
                    "--store",
                    "s",
                    "--access",
                    "rules",
                    "--web",
                    "web",
                    "--port",
                    "0",
                    "--admin-port",
                    "0",
                    "--admin-host",
                    "Metrics,other",
                    "--access-log",
                    "log",
                    "--access-log-format",
                    "json",
                    "--json"));
    String url = await("url", ended);
    String admin = await("adminUrl", ended);
    String body = "Content-Length: 3\r\n";
    String login = "Authorization: Bearer " + secret + "\r\n";
    assertEquals(401, ask(url, "PUT /in/a", "x", body, "abc"));
    assertEquals(201, ask(url, "PUT /in/a", "x", body + login, "abc"));
    assertEquals(403, ask(url, "PUT /b", "x", body + login, "abc"));
    assertEquals(200, ask(url, "GET /in/a", "x", "", ""));
    assertEquals(204, ask(url, "OPTIONS /in/a", "x", "", ""));
    assertEquals(200, ask(admin, "GET /healthz", "localhost:1", "", ""));
    assertEquals(200, ask(admin, "GET /healthz", "metrics", "", ""));
    assertEquals(200, ask(admin, "GET /healthz", "127.0.0.1", "", ""));
    assertEquals(421, ask(admin, "GET /healthz", "evil.example", "", ""));
    reloads(url);
    shell.stop.ask();
    assertEquals(ExitCode.OK, ended.get(1, TimeUnit.MINUTES), shell::err);
    assertTrue(shell.err().contains("writable by the rules of rules"), shell::err);
    assertFalse((shell.err() + shell.out()).contains(secret), "a secret in what was said");
    String log = Files.readString(here.resolve("log"));
    assertEquals(8, log.lines().count(), log);
    assertTrue(log.contains("\"user\":\"alice\",\"method\":\"PUT\",\"target\":\"/b\""), log);
    assertFalse(log.contains(secret), log);
  }

  /** Without a restart; rules that cannot be read leave the old ones in force. */
  private void reloads(String url) throws IOException {
    Files.writeString(rules, "allow everything / anyone\n");
    TestShell other = new TestShell(here);
    assertEquals(ExitCode.FAILED, other.run("reload", "s"), other::err);
    assertTrue(other.err().contains("rules:1: "), other::err);
    assertEquals(200, ask(url, "GET /in/a", "x", "", ""));
    Files.writeString(rules, "allow list / anyone\n");
    Files.writeString(here.resolve("web"), "cors / POKE *\n");
    assertEquals(ExitCode.FAILED, other.run("reload", "s"), other::err);
    assertTrue(other.err().contains("web:1: "), other::err);
    assertEquals(200, ask(url, "GET /in/a", "x", "", "")); // all files are in force, or none
    Files.writeString(here.resolve("web"), "cors / GET *\n");
    assertEquals(ExitCode.OK, other.run("reload", "s"), other::err);
    assertTrue(other.err().contains("rules of rules"), other::err);
    assertTrue(other.err().contains("lines of web"), other::err);
    assertEquals(401, ask(url, "GET /in/a", "x", "", ""));
  }

  @Test
  void aStoreThatNobodyServes_hasNothingToReload() {
    assertEquals(ExitCode.OK, shell.run("create", "s"), shell::err);
    assertEquals(ExitCode.FAILED, shell.run("reload", "s"), shell::err);
  }

  @Test
  void whatIsNoneOfItsIsRefused() {
    refusedWith(
        "--access-log-format is combined or json", "--access-log=l", "--access-log-format=x");
    refusedWith("goes with --access-log", "--access-log-format=json");
    refusedWith("proxy is no address or network", "--trust-proxy=proxy");
    refusedWith("need --engine=fsm", "--trust-proxy=10.0.0.0/8", "--engine=threads");
    refusedWith("need --engine=fsm", "--access-log=l", "--engine=virtual");
    assertFalse(Files.exists(here.resolve("l")));
  }

  private void refusedWith(String why, String... options) {
    List<String> all = new ArrayList<>(List.of("serve", "--create", "--store", "s"));
    all.addAll(List.of(options));
    assertEquals(ExitCode.USAGE, shell.run(all.toArray(String[]::new)), why);
    assertTrue(shell.err().contains(why), shell::err);
  }

  private String await(String field, CompletableFuture<Integer> ended) throws Exception {
    for (int i = 0; i < 6000 && !ended.isDone(); i++) {
      Matcher found = URL.matcher(shell.out());
      while (found.find()) {
        if (found.group(1).equals(field)) {
          return found.group(2);
        }
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no " + field + ": " + shell.err());
  }

  private static int ask(String server, String request, String host, String fields, String body)
      throws IOException {
    URI uri = URI.create("http://" + server);
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      String head = request + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + fields;
      socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Integer.parseInt(answer.substring(9, 12));
    }
  }
}
