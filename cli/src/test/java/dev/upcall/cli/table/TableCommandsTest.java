package dev.upcall.cli.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.StoreCommands;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.table.Codecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables as a user and a program see them. */
class TableCommandsTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(24L << 20);

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void makeStore() {
    shell = new TestShell(here);
    ok("", "create", "s.upcall", "--volume-size=64m");
  }

  private String ok(String input, String... args) {
    int code = shell.input(input.getBytes(UTF_8)).run(args);
    assertEquals(ExitCode.OK, code, () -> String.join(" ", args) + ": " + shell.err());
    return shell.out();
  }

  private void refused(int code, String words, String... args) {
    assertEquals(code, shell.run(args), () -> String.join(" ", args) + ": " + shell.err());
    assertTrue(shell.err().contains(words), shell::err);
    assertFalse(shell.err().contains("\tat "), shell::err);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void entries_ofAStoreThatIsServedOrNot_areSetShownAndRemoved(boolean isServed) throws Exception {
    if (!isServed) {
      useEntries();
      return;
    }
    Path volume = here.resolve("s.upcall");
    try (Upcall store = Upcall.openOrCreate(volume, SMALL);
        StoreCommands _ = StoreCommands.listen(store, volume)) {
      useEntries();
      assertEquals(3, store.sortedTable("/t", Codecs.BYTES, Codecs.BYTES).count());
    }
  }

  private void useEntries() {
    ok("", "table", "create", "/t");
    ok("", "table", "put", "/t", "b", "two");
    ok("", "table", "put", "/t", "a", "one");
    ok("", "table", "put", "/t", "c\td", "");
    assertEquals("one", ok("", "table", "get", "/t", "a"));
    assertEquals("6f6e65\n", ok("", "table", "get", "/t", "61", "--hex"));
    assertEquals("a\tone\nb\ttwo\nc\\td\t\n", ok("", "table", "scan", "/t"));
    assertEquals("b\ttwo\na\tone\n", ok("", "table", "scan", "/t", "--below=c", "--reverse"));
    assertEquals("b\ttwo\n", ok("", "table", "scan", "/t", "--from=b", "--limit=1"));
    assertEquals("c\\td\t\n", ok("", "table", "scan", "/t", "--prefix=c", "--from=b"));
    assertEquals("", ok("", "table", "scan", "/t", "--prefix=c", "--below=b"));
    assertEquals("/t: 3 entries, sorted\n", ok("", "table", "stat", "/t"));
    assertEquals(
        "{\"path\":\"/t\",\"entries\":[{\"key\":\"a\",\"value\":\"one\"}],\"hasMore\":true}\n",
        ok("", "table", "scan", "/t", "--limit=1", "--json"));
    ok("", "table", "put", "/t", "ff00", "80", "--hex");
    assertTrue(ok("", "table", "scan", "/t").contains("0xff00\t0x80\n"), shell::out);
    refused(ExitCode.FAILED, "already exists", "table", "put", "/t", "a", "x", "--new");
    refused(ExitCode.FAILED, "/t has no key x", "table", "get", "/t", "x");
    refused(ExitCode.FAILED, "/t has no key x", "table", "remove", "/t", "x");
    ok("", "table", "remove", "/t", "a");
    assertEquals(
        "{\"path\":\"/t\",\"removed\":1}\n",
        ok("", "table", "remove", "/t", "--prefix=c", "--json"));
    ok("", "table", "put", "/t", "a", "one");
    assertEquals("/t: 3 entries, sorted\n", ok("", "table", "stat", "/t"));
  }

  @Test
  void dumpAndLoad_anyBytes_comeBack() {
    ok("", "mkdir", "/d");
    ok("", "table", "create", "/d/t");
    for (String key : new String[] {"00", "61", "c3a4", "ff", "61ff"}) {
      ok("", "table", "put", "/d/t", key, key + "00", "--hex");
    }
    String lines = ok("", "table", "dump", "/d/t");
    assertTrue(lines.startsWith("{\"key\":\"\\u0000\",\"value\":\"\\u0000\\u0000\"}\n"), lines);
    assertTrue(lines.contains("{\"keyHex\":\"61ff\",\"valueHex\":\"61ff00\"}\n"), lines);
    assertEquals(5, lines.lines().count());
    ok(lines, "table", "load", "/d/copy", "-", "--create");
    assertEquals(lines, ok("", "table", "dump", "/d/copy"));
    String hex = ok("", "table", "dump", "/d/t", "--hex");
    ok("", "table", "remove", "/d/copy", "--all");
    assertEquals(
        "{\"path\":\"/d/copy\",\"loaded\":5}\n",
        ok(hex + "\n\n", "table", "load", "/d/copy", "-", "--json"));
    assertEquals(lines, ok("", "table", "dump", "/d/copy"));
    ok("", "mv", "/d/copy", "/d/moved");
    ok("", "snapshot", "create", "then");
    ok("", "rm", "/d/moved");
    assertEquals(lines, ok("", "table", "dump", "/d/moved", "--snapshot=then"));
    refused(ExitCode.FAILED, "does not exist", "table", "dump", "/d/moved");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void largeValues_ofAStoreThatIsServedOrNot_goInAndOut(boolean isServed) throws Exception {
    if (!isServed) {
      useLargeValues();
      return;
    }
    Path volume = here.resolve("s.upcall");
    try (Upcall store = Upcall.openOrCreate(volume, SMALL);
        StoreCommands _ = StoreCommands.listen(store, volume)) {
      useLargeValues();
    }
  }

  private void useLargeValues() throws IOException {
    String large = "large ".repeat(200_000);
    String larger = "x".repeat((4 << 20) + 1);
    Files.writeString(here.resolve("value"), large);
    ok("", "table", "create", "/t");
    ok("", "table", "put", "/t", "a", "--from=" + here.resolve("value"));
    assertEquals(
        "{\"path\":\"/t\",\"key\":\"b\",\"valueBytes\":3000}\n",
        ok("y".repeat(3000), "table", "put", "/t", "b", "--from=-", "--json"));
    ok("", "table", "put", "/t", "c", "small");
    refused(ExitCode.FAILED, "already exists", "table", "put", "/t", "a", "x", "--new");
    assertEquals(large, ok("", "table", "get", "/t", "a"));
    assertTrue(ok("", "table", "get", "/t", "a", "--json").contains("\"value\":\"" + large));
    assertEquals("a\t(1200000 bytes)\nb\t(3000 bytes)\nc\tsmall\n", ok("", "table", "scan", "/t"));
    String lines = ok("", "table", "dump", "/t");
    assertEquals(3, lines.lines().count());
    ok(lines, "table", "load", "/copy", "-", "--create");
    assertEquals(lines, ok("", "table", "dump", "/copy"));
    assertEquals(large, ok("", "table", "get", "/copy", "a"));
    ok(larger, "table", "put", "/t", "b", "--from=-");
    refused(ExitCode.PARTLY, "values are left out: 1 of more", "table", "dump", "/t");
    String some = shell.out();
    assertTrue(some.contains("{\"key\":\"b\",\"leftOutBytes\":4194305}\n"), some::toString);
    refused(ExitCode.PARTLY, "values are left out: 1 of more", "table", "dump", "/t", "--json");
    assertTrue(shell.out().contains("{\"key\":\"b\",\"leftOutBytes\":4194305}"), "left out");
    refused(ExitCode.FAILED, "without --json", "table", "get", "/t", "b", "--json");
    assertEquals(larger, ok("", "table", "get", "/t", "b"));
    shell.input(some.getBytes(UTF_8));
    refused(ExitCode.FAILED, "too large to be dumped", "table", "load", "/copy", "-");
    ok("", "table", "remove", "/t", "--all");
    assertEquals("/t: 0 entries, sorted\n", ok("", "table", "stat", "/t"));
  }

  @Test
  void aValueThatCannotBeRead_isNamed_andTheOthersAreThere() throws IOException {
    String large = "0123456789abcde\n".repeat(4000);
    ok("", "table", "create", "/t");
    ok("", "table", "put", "/t", "a", "one");
    ok(large, "table", "put", "/t", "b", "--from=-");
    ok("y".repeat(3000), "table", "put", "/t", "c", "--from=-");
    ok("", "checkpoint");
    damage(large.substring(0, 4096));
    String named = "entry 0x62 of /t is left out: ";
    refused(ExitCode.PARTLY, named, "table", "dump", "/t", "--json");
    assertTrue(shell.err().contains("1 that cannot be read"), shell::err);
    assertEquals(
        "{\"path\":\"/t\",\"entries\":[{\"key\":\"a\",\"value\":\"one\"},"
            + "{\"key\":\"b\",\"leftOutBytes\":64000},"
            + "{\"key\":\"c\",\"value\":\"%s\"}]}\n".formatted("y".repeat(3000)),
        shell.out());
    refused(ExitCode.PARTLY, named, "table", "dump", "/t");
    assertEquals(3, shell.out().lines().count());
    refused(ExitCode.PARTLY, named, "table", "scan", "/t", "--json");
    assertTrue(shell.out().contains("yyy\"}],\"hasMore\":false}"), shell::out);
    Path host = here.resolve("host");
    refused(ExitCode.PARTLY, "entry 0x62 of /t", "export", "/", host.toString());
    assertEquals(3, Files.readString(host.resolve("t.table.jsonl")).lines().count());
  }

  /** Zeros in the place of each block of the volume that has this content. */
  private void damage(String content) throws IOException {
    byte[] block = content.getBytes(UTF_8);
    Path volume = here.resolve("s.upcall");
    byte[] all = Files.readAllBytes(volume);
    int found = 0;
    for (int at = 0; at < all.length; at += block.length) {
      if (Arrays.equals(all, at, at + block.length, block, 0, block.length)) {
        Arrays.fill(all, at, at + block.length, (byte) 0);
        found++;
      }
    }
    assertTrue(found > 0, "the content is nowhere on the volume");
    Files.write(volume, all);
  }

  @Test
  void tables_areCountedWithTheSpace() {
    ok("", "table", "create", "/t");
    ok("", "table", "create", "/empty");
    ok("", "table", "put", "/t", "a", "one");
    ok("", "table", "put", "/t", "b", "");
    ok("y".repeat(3000), "table", "put", "/t", "c", "--from=-");
    ok("", "table", "put", "/t", "d", "gone");
    ok("", "table", "remove", "/t", "d");
    String counted = "\"tables\":{\"tables\":2,\"entries\":3,\"valueBytes\":3003,\"pages\":1}";
    assertTrue(ok("", "info", "--count", "--json").contains(counted), shell::out);
    assertTrue(ok("", "verify", "--json").contains(counted), shell::out);
    assertTrue(
        ok("", "info", "--count")
            .contains("2 tables have 3 entries with values of 3,003 bytes, in 1 pages"),
        shell::out);
    ok("", "rm", "/t");
    assertTrue(
        ok("", "info", "--count", "--json").contains("\"tables\":1,\"entries\":0,"), shell::out);
  }

  @Test
  void sumsAreTheSameInEveryLanguage() {
    ok("", "table", "create", "/t");
    ok("y".repeat(3000), "table", "put", "/t", "c", "--from=-");
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      String sums = ok("", "info", "--count");
      assertTrue(sums.contains("1 entries with values of 3,000 bytes"), sums);
      assertFalse(sums.lines().anyMatch(line -> line.matches(".*\\d\\.\\d{3} .*")), sums);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void load_manyEntries_areAll() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      lines.append("{\"key\":\"%06d\",\"value\":\"%s\"}\n".formatted(i, "v".repeat(i % 300)));
    }
    ok(lines.toString(), "table", "load", "/t", "-", "--create");
    assertEquals(lines.toString(), ok("", "table", "dump", "/t"));
    ok("", "table", "remove", "/t", "--from=000010", "--below=004990");
    assertEquals("/t: 20 entries, sorted\n", ok("", "table", "stat", "/t"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '%',
      value = {
        "no json | line 2",
        "[] | no object",
        "{\"key\":\"a\"} | a key and a value are needed",
        "{\"key\":1,\"value\":\"b\"} | key is no text",
        "{\"key\":\"a\",\"value\":\"b\",\"x\":\"c\"} | x is not known",
        "{\"key\":\"\",\"value\":\"b\"} | not be empty",
        "{\"keyHex\":\"0\",\"value\":\"b\"} | line 2",
        "{\"key\":\"a\",\"value\":\"b\"} {} | something behind the object",
        "{\"key\":\"a\",\"value\":\"b\",\"key\":\"c\"} | two keys",
        "{\"key\":\"a\",\"value\":\"b\",\"valueHex\":\"63\"} | two values",
      })
  void load_aLineThatIsNone_saysWhichAndWhatIsThere(String line, String words) {
    shell.input(("{\"key\":\"ok\",\"value\":\"\"}\n" + line + "\n").getBytes(UTF_8));
    ok("", "table", "create", "/t");
    shell.input(("{\"key\":\"ok\",\"value\":\"\"}\n" + line + "\n").getBytes(UTF_8));
    refused(ExitCode.FAILED, words, "table", "load", "/t", "-");
    assertTrue(shell.err().contains("line 2: "), shell::err);
    assertTrue(shell.err().contains("; 0 entries are loaded"), shell::err);
    assertEquals("/t: 0 entries, sorted\n", ok("", "table", "stat", "/t"));
  }

  @Test
  void load_aLineThatIsNoText_isRefused() {
    ok("", "table", "create", "/t");
    shell.input("{\"key\":\"ä\",\"value\":\"\"}\n".getBytes(UTF_8));
    assertEquals(ExitCode.OK, shell.run("table", "load", "/t", "-"), shell::err);
    shell.input("\n{\"key\":\"ö\",\"value\":\"\"}\n".getBytes(ISO_8859_1));
    refused(ExitCode.FAILED, "line 2: ", "table", "load", "/t", "-");
    assertTrue(shell.err().contains("not text in UTF-8"), shell::err);
    assertEquals("ä\t\n", ok("", "table", "scan", "/t"));
  }

  @Test
  void load_thatFillsTheVolume_saysWhatIsThere() {
    String value = "v".repeat(4_000_000);
    StringBuilder lines = new StringBuilder();
    for (int i = 10; i < 30; i++) {
      lines.append("{\"key\":\"%d\",\"value\":\"%s\"}\n".formatted(i, value));
    }
    shell.input(lines.toString().getBytes(UTF_8));
    refused(ExitCode.FAILED, "full", "table", "load", "/t", "-", "--create");
    String said = shell.err();
    String stat = ok("", "table", "stat", "/t");
    String entries = stat.replaceAll("/t: (\\d+) entries.*\n", "$1");
    assertTrue(Integer.parseInt(entries) > 5, stat);
    assertTrue(said.contains("; " + entries + " entries are loaded"), said + stat);
    assertEquals(value, ok("", "table", "get", "/t", "15"));
    shell.input(lines.toString().getBytes(UTF_8));
    refused(ExitCode.FAILED, "full", "table", "load", "/t", "-", "--json");
    assertTrue(shell.out().contains(" entries are loaded\",\"kind\":\"VolumeFull\""), shell::out);
  }

  @Test
  void whatIsStopped_saysHowFarItCame() {
    ok("", "table", "create", "/t");
    shell.stop.ask();
    shell.input("{\"key\":\"a\",\"value\":\"\"}\n".getBytes(UTF_8));
    refused(ExitCode.FAILED, "stopped; 0 entries are loaded", "table", "load", "/t", "-");
    refused(ExitCode.FAILED, "stopped; 0 entries are removed", "table", "remove", "/t", "--all");
  }

  @Test
  void load_aSourceThatCannotBeRead_saysWhatIsThere() {
    ok("", "table", "create", "/t");
    String unreadable = "/proc/self/mem"; // its first page is none
    refused(ExitCode.FAILED, "error; 0 entries are loaded", "table", "load", "/t", unreadable);
  }

  @Test
  void wrongUse_isAClearLine() {
    ok("x", "put", "-", "/file");
    ok("", "table", "create", "/t");
    refused(ExitCode.USAGE, "say what to do", "table");
    refused(ExitCode.FAILED, "already exists", "table", "create", "/t");
    ok("", "table", "create", "/t", "-p");
    refused(ExitCode.FAILED, "no table", "table", "get", "/file", "a");
    refused(ExitCode.FAILED, "/file is a file, no table", "table", "put", "/file", "a", "b");
    refused(ExitCode.FAILED, "is a directory", "table", "put", "/", "a", "b");
    refused(ExitCode.FAILED, "is a directory", "table", "stat", "/");
    refused(ExitCode.FAILED, "does not exist", "table", "scan", "/none");
    refused(ExitCode.USAGE, "not hexadecimal", "table", "get", "/t", "xx", "--hex");
    refused(ExitCode.USAGE, "say what to remove", "table", "remove", "/t");
    refused(ExitCode.USAGE, "say what to remove", "table", "remove", "/t", "a", "--all");
    refused(ExitCode.USAGE, "--limit", "table", "scan", "/t", "--limit=-1");
    refused(ExitCode.FAILED, "the limit is 288", "table", "put", "/t", "k".repeat(289), "v");
    refused(ExitCode.USAGE, "say the value", "table", "put", "/t", "k");
    refused(ExitCode.USAGE, "say the value", "table", "put", "/t", "k", "v", "--from=-");
    assertEquals("/t: 0 entries, sorted\n", ok("", "table", "stat", "/t"));
  }

  @Test
  void tablesOfOtherMethods_areLookedAtAndNotChanged() {
    try (Upcall store = Upcall.openOrCreate(here.resolve("s.upcall"), SMALL)) {
      store.records("/records", Codecs.STRING).append("first");
      store.hashTable("/hashed", Codecs.STRING, Codecs.STRING).put("a", "b");
    }
    assertEquals("/records: 2 entries, records\n", ok("", "table", "stat", "/records"));
    assertEquals("/hashed: 1 entries, hashed\n", ok("", "table", "stat", "/hashed"));
    assertTrue(ok("", "table", "scan", "/hashed").endsWith("61\tb\n"), shell::out);
    for (String path : new String[] {"/records", "/hashed"}) {
      refused(ExitCode.FAILED, "only a program", "table", "put", path, "a", "b");
      refused(ExitCode.FAILED, "only a program", "table", "remove", path, "--all");
      refused(ExitCode.FAILED, "only a program", "table", "load", path, "-");
    }
  }
}
