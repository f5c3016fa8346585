package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.cli.option.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Which command has which of the options that several have: those that do something there. */
class OptionsTest {
  private static final String EVERY =
      "cat checkpoint chmod clone compression config cp cut dedup df edit-policy export find import"
          + " info join key-add key-list key-remove key-rotate ls mkdir mv put rewrite rm serve"
          + " snapshot-create snapshot-drop snapshot-list splice stat table-create table-dump"
          + " table-get table-load table-put table-remove table-scan table-stat touch verify";

  /** What makes one, which it names by itself. */
  private static final String MAKES = " create";

  /** Those that know no store. */
  private static final String OF_A_QUEUE =
      " submit-append submit-clone submit-mkdir submit-mv submit-put submit-rm submit-splice";

  private static final String OF_A_TRACE =
      " trace trace-depths trace-request trace-slowest trace-stalls trace-states";

  private static final String OF_ITS_LETTERS = " queue-dead queue-drop queue-info queue-retry";

  private static final String OF_A_PAIR = " handover takeover";

  private static final String OF_A_BLOCK_TRACE =
      " blocks-convert blocks-plot blocks-replay blocks-show blocks-stat";

  private static final String OF_RULES = " access-check access-list access-new reload";

  /** All that do something themselves. */
  private static final String ALL =
      EVERY
          + MAKES
          + OF_A_QUEUE
          + OF_ITS_LETTERS
          + OF_A_TRACE
          + OF_A_PAIR
          + OF_A_BLOCK_TRACE
          + OF_RULES;

  @TempDir Path here;

  @Test
  void anOptionStandsWhereItDoesSomething() {
    Map<String, String> wanted = new TreeMap<>();
    wanted.put("--json", ALL);
    wanted.put("--debug", ALL);
    wanted.put("--memory", EVERY + MAKES);
    wanted.put("--gather", EVERY + MAKES);
    wanted.put("--compression", "import put serve");
    wanted.put("--dedup", "import put serve");
    wanted.put("--disk", EVERY + MAKES + " blocks-replay");
    wanted.put("--admin-host", "serve");
    wanted.put(
        "--help", ALL + " access blocks key queue snapshot submit table trace-replay upcall");
    wanted.put("--key-file", EVERY + MAKES + " queue-info");
    wanted.put("--key-command", EVERY + MAKES + " queue-info");
    wanted.put("--passphrase-file", EVERY + MAKES + " queue-info");
    wanted.put("--new-key-file", "key-add key-rotate");
    wanted.put("--wait", OF_A_QUEUE.strip());
    wanted.put("--producer", OF_A_QUEUE.strip() + " queue-retry");
    wanted.put("--store", EVERY + " queue-info" + OF_A_TRACE);
    wanted.put(
        "--engine",
        "cat chmod clone compression config cp cut dedup edit-policy export find import join ls"
            + " mkdir mv put rewrite rm serve splice stat table-create table-dump table-get"
            + " table-load table-put table-remove table-scan table-stat touch");
    wanted.put(
        "--volume-size",
        "chmod clone compression config cp create cut dedup edit-policy import join mkdir mv put"
            + " rewrite rm serve splice table-create table-load table-put table-remove touch");
    wanted.put("--busy-timeout", "config serve");
    wanted.put(
        "--read-only",
        "cat config df export find info key-list ls serve snapshot-list stat table-dump table-get"
            + " table-scan table-stat verify");
    wanted.put("--http-threads", "serve");
    wanted.put("--resumable-uploads", "serve");
    wanted.put("--access", "serve");
    wanted.put("--access-log", "serve");
    wanted.put("--web", "serve");
    wanted.put("--trust-proxy", "serve");
    wanted.put("--tls-cert", "serve");
    wanted.put("--queue", "serve" + OF_A_QUEUE);
    wanted.put("--create", "put serve table-load" + OF_A_QUEUE);
    wanted.put("--record", "serve");
    wanted.put("--block-trace", "serve");
    wanted.put("--block-measures", "serve");
    wanted.put("--io-policy", "blocks-replay serve");
    wanted.put("--records-kept", "config serve");
    wanted.put("--from", "table-put table-remove table-scan" + OF_A_TRACE);
    wanted.put(
        "--snapshot", "cat export find ls serve stat table-dump table-get table-scan table-stat");
    Map<String, TreeSet<String>> found = new TreeMap<>();
    collect("upcall", Commands.all(new TestShell(here).shell()), found);
    wanted.forEach(
        (option, commands) ->
            assertEquals(new TreeSet<>(List.of(commands.split(" "))), found.get(option), option));
  }

  @Test
  void help_ofEveryCommand_isShown() {
    TestShell shell = new TestShell(here);
    Map<String, TreeSet<String>> found = new TreeMap<>();
    collect("upcall", Commands.all(shell.shell()), found);
    TreeSet<String> commands = new TreeSet<>(found.get("--help"));
    commands.remove("upcall");
    for (String command : commands) {
      List<String> words = new ArrayList<>(words(command));
      words.add("--help");
      assertEquals(
          ExitCode.OK, shell.run(words.toArray(String[]::new)), () -> command + shell.err());
      assertTrue(
          shell.out().startsWith("Usage: upcall " + String.join(" ", words(command))), command);
      assertEquals("", shell.err(), command);
    }
  }

  /** Commands below these are written with a dash here. */
  private static List<String> words(String command) {
    for (String above :
        List.of("access", "blocks", "key", "queue", "snapshot", "submit", "table", "trace")) {
      if (command.startsWith(above + "-")) {
        return List.of(above, command.substring(above.length() + 1));
      }
    }
    return List.of(command);
  }

  @Test
  void everyCommand_hasHelp() {
    CommandLine root = Commands.all(new TestShell(here).shell());
    root.getSubcommands().values().forEach(OptionsTest::requireHelp);
  }

  private static void requireHelp(CommandLine command) {
    assertTrue(
        command.getCommandSpec().optionsMap().containsKey("--help"),
        command.getCommandSpec().qualifiedName());
    command.getSubcommands().values().forEach(OptionsTest::requireHelp);
  }

  @Test
  void whatDoesNothingIsRefusedAndNotPassedOver() {
    TestShell shell = new TestShell(here);
    for (String[] args :
        new String[][] {
          {"--json", "ls"},
          {"ls", "--volume-size=1g"},
          {"rm", "/a", "--read-only"},
          {"verify", "--engine=threads"}
        }) {
      assertEquals(ExitCode.USAGE, shell.run(args), shell::err);
      assertTrue(shell.err().contains("Unknown option"), shell::err);
    }
  }

  @Test
  void everyExitCodeIsListed() {
    TestShell shell = new TestShell(here);
    assertEquals(ExitCode.OK, shell.run("--help"));
    for (int code :
        new int[] {
          ExitCode.OK,
          ExitCode.FAILED,
          ExitCode.USAGE,
          ExitCode.PARTLY,
          ExitCode.INTERRUPTED,
          ExitCode.TERMINATED
        }) {
      assertTrue(
          shell.out().replaceAll("\\s+", " ").matches(".*Exit codes:.*\\b" + code + " [a-z].*"),
          code + ": " + shell.out());
    }
  }

  private static void collect(
      String name, CommandLine command, Map<String, TreeSet<String>> found) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      found.computeIfAbsent(option.longestName(), _ -> new TreeSet<>()).add(name);
    }
    String prefix = name.equals("upcall") ? "" : name + "-";
    command.getSubcommands().forEach((below, line) -> collect(prefix + below, line, found));
  }
}
