package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Each command that opens a store opens an encrypted one, with its key and not without. */
class EncryptedCommandsTest {
  /** Arguments with which each comes as far as opening it; others need none. */
  private static final Map<String, String> ARGUMENTS =
      arguments(
          """
          cat /letter
          chmod 600 /letter
          clone /letter /a
          compression /letter
          cp /letter /b
          cut /letter --offset=0 --length=1
          dedup /letter none
          edit-policy /letter --none
          export / out
          find /
          import in
          join /c /letter
          key-add --new-key-file=other
          key-remove 7
          key-rotate --new-key-file=other
          ls /
          mkdir /m
          mv /a /d
          put in/f /e
          queue-info q
          rewrite /letter
          rm /b
          serve --no-import --port=0
          snapshot-create s
          snapshot-drop s
          splice /letter in/f --offset=0
          stat /letter
          table-create /t
          table-dump /t
          table-get /t k
          table-load /t in/f
          table-put /t k v
          table-remove /t k
          table-scan /t
          table-stat /t
          touch /letter
          """);

  /** They ask the process that has a store open, or only what would be. */
  private static final Set<String> OPENING_NONE =
      Set.of(
          "config",
          "trace",
          "trace-depths",
          "trace-request",
          "trace-slowest",
          "trace-stalls",
          "trace-states");

  private static final Set<String> KEYS =
      Set.of("--key-file", "--key-command", "--passphrase-file");

  @TempDir Path here;

  private TestShell shell;

  private static Map<String, String> arguments(String lines) {
    Map<String, String> arguments = new TreeMap<>();
    lines
        .lines()
        .map(line -> line.split(" ", 2))
        .forEach(words -> arguments.put(words[0], words[1]));
    return arguments;
  }

  @BeforeEach
  void makeStore() throws IOException {
    shell = new TestShell(here);
    key("key");
    key("other");
    Files.createDirectory(here.resolve("in"));
    Files.writeString(here.resolve("in/f"), "");
    assertEquals(ExitCode.OK, shell.run("create", "s", "--key-file=key"), shell::err);
  }

  private void key(String name) throws IOException {
    Path file =
        Files.writeString(here.resolve(name), name + " of as many as thirty-two bytes, or more");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private void refused(String why, List<String> args) {
    assertEquals(ExitCode.FAILED, shell.run(args.toArray(String[]::new)), args::toString);
    assertTrue(shell.err().contains(why), () -> args + ": " + shell.err());
  }

  @Test
  void aCommandThatNamesAStoreTakesItsKey() {
    Map<String, CommandLine> commands = new TreeMap<>();
    collect("", Commands.all(shell.shell()), commands);
    commands.keySet().removeAll(OPENING_NONE);
    assertTrue(commands.size() > 40, commands.keySet()::toString);
    for (String name : commands.keySet()) {
      List<String> args = new ArrayList<>(words(name));
      String more = ARGUMENTS.getOrDefault(name, "");
      args.addAll(more.isEmpty() ? List.of() : List.of(more.split(" ", -1)));
      args.add("--store=s");
      refused("is encrypted, and no key was given", args);
      args.add("--key-file=other");
      refused("opens none of the 1 key slots", args);
      assertTrue(options(commands.get(name)).containsAll(KEYS), name);
    }
  }

  private static Set<String> options(CommandLine command) {
    return command.getCommandSpec().optionsMap().keySet();
  }

  @Test
  void aQueueIsComparedWithAnEncryptedStore() {
    assertEquals(ExitCode.OK, shell.run("submit", "rm", "/a", "--queue=q", "--create"));
    String[] info = {"queue", "info", "q", "--store=s", "--key-file=key"};
    assertEquals(ExitCode.OK, shell.run(info), shell::err);
    assertTrue(shell.out().contains("backlog       1 entries"), shell::out);
  }

  private static List<String> words(String name) {
    return name.matches("(key|queue|snapshot|table)-.*")
        ? List.of(name.split("-", 2))
        : List.of(name);
  }

  private static void collect(String name, CommandLine command, Map<String, CommandLine> found) {
    if (command.getCommandSpec().optionsMap().containsKey("--store")) {
      found.put(name, command);
    }
    command
        .getSubcommands()
        .forEach(
            (below, line) -> collect(name.isEmpty() ? below : name + "-" + below, line, found));
  }
}
