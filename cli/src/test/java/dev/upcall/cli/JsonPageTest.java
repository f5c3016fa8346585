package dev.upcall.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.trace.MadeUpRecording;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of what {@code --json} writes: its examples are run one after the other, and what they
 * write is compared, field by field. {@code -Dupcall.docs.write=true} writes the examples anew.
 */
class JsonPageTest {
  private static final Path PAGE = Path.of("").toAbsolutePath().getParent().resolve("docs/json.md");
  private static final String HOME = "/home/me";

  /** A command line and what it writes. */
  private static final Pattern EXAMPLE =
      Pattern.compile("(?s)```\n\\$ upcall ([^\n]*--json)\n(.*?)\n```");

  /** An array of which the page shows the beginning. */
  private static final String LONG_ARRAY = "limits";

  private static final int SHOWN = 3;

  /** What another machine, day or version of the store may write, and what the page shows. */
  private static final Map<String, String> VARYING = varying();

  @TempDir Path home;

  private static Map<String, String> varying() {
    Map<String, String> varying = new TreeMap<>();
    for (String time : List.of("modified", "created", "changed")) {
      varying.put(time, "\"2026-11-22T09:30:00.123456789Z\"");
    }
    varying.put("expires", "\"2026-11-22T10:30:00.123456789Z\"");
    varying.put("upcall.import", "\"L6fYsrYHOBNqoj9FLXTqGAwAAAAAAAAA\"");
    varying.put("uid", "1000");
    varying.put("gid", "1000");
    varying.put("seconds", "0.1");
    varying.put("secret", "\"upcall_xGkZ3mQ1pY8sVb2TqLw7Nf0RcJA\"");
    varying.put(
        "line",
        "\"token alice sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef\"");
    varying.put("scn", "12");
    varying.put("durableScn", "12");
    varying.put("freeBytes", "8388608");
    varying.put("usedBytes", "12582912");
    varying.put("exclusiveBytes", "4096");
    varying.put("heldBytes", "4096");
    varying.put("metadataBlocks", "24");
    varying.put("contentBlocks", "1");
    varying.put("unplacedBlocks", "0");
    varying.put("countedScn", "12");
    varying.put("metadataBytes", "98304");
    varying.put("leavingBytes", "0");
    varying.put("contentRead", "1");
    varying.put("port", "8080");
    varying.put("producer", "\"5ad0b1f0-3c1e-4f39-9d2e-7f3a3e1d5c11\"");
    varying.put("sequence", "65536");
    varying.put("queue", "\"0b7d2c1e-9a55-4c0e-8f6e-1d2f3a4b5c6d\"");
    varying.put("queueFiles", "1");
    varying.put("queueBytes", "4194304");
    for (String step :
        "waited fence superblock map roots unplaced scan replay snapshots heal rest bind all"
            .split(" ")) {
      varying.put(step + "Millis", "0.5");
    }
    varying.put("url", "\"http://127.0.0.1:8080/\"");
    return varying;
  }

  @Test
  void theExamplesAreWhatTheCommandsWrite() throws Exception {
    prepare();
    String page = Files.readString(PAGE);
    StringBuilder renewed = new StringBuilder();
    int end = 0;
    for (MatchResult example : EXAMPLE.matcher(page).results().toList()) {
      String written = run(example.group(1)).replace(home.toRealPath().toString(), HOME);
      renewed.append(page, end, example.start(2)).append(shown(written));
      end = example.end(2);
      if (!Boolean.getBoolean("upcall.docs.write")) {
        assertEquals(
            tokens(shown(example.group(2))), tokens(shown(written)), "upcall " + example.group(1));
      }
    }
    if (Boolean.getBoolean("upcall.docs.write")) {
      Files.writeString(PAGE, renewed.append(page.substring(end)));
    }
  }

  @Test
  void everyCommandHasItsExample() throws IOException {
    TreeSet<String> missing = new TreeSet<>();
    Commands.all(new TestShell(home).shell())
        .getSubcommands()
        .forEach(
            (name, command) -> {
              missing.add(name);
              command.getSubcommands().keySet().forEach(below -> missing.add(name + " " + below));
            });
    missing.remove("access");
    missing.remove("key");
    missing.remove("queue");
    missing.remove("snapshot");
    missing.remove("submit");
    missing.remove("table");
    // What a replay measures is otherwise each time; docs/blocks.md says which fields it has.
    missing.remove("blocks replay");
    // The simulator's, which writes for people.
    missing.remove("trace replay");
    for (MatchResult example : EXAMPLE.matcher(Files.readString(PAGE)).results().toList()) {
      missing.removeIf(name -> (example.group(1) + " ").startsWith(name + " "));
    }
    assertEquals(new TreeSet<String>(), missing);
  }

  @Test
  void theComparisonCanFail() throws IOException {
    String page = "{\"path\": \"/a\", \"links\": 1, \"seconds\": 0.5}";
    assertEquals(tokens(shown(page)), tokens(shown(page.replace("0.5", "2.0"))));
    for (String[] change :
        new String[][] {{"/a", "/b"}, {"1", "2"}, {"links", "names"}, {", \"links\": 1", ""}}) {
      assertTrue(!tokens(shown(page)).equals(tokens(shown(page.replace(change[0], change[1])))));
    }
  }

  private void prepare() throws IOException {
    Path letters = Files.createDirectory(home.resolve("letters"));
    Files.writeString(letters.resolve("a.txt"), "Hello, store");
    Files.createSymbolicLink(letters.resolve("newest"), Path.of("a.txt"));
    Files.writeString(home.resolve("b.txt"), "Hello again");
    Files.writeString(home.resolve("prices.jsonl"), "{\"key\":\"bowl\",\"value\":\"4.00\"}\n");
    for (String key : List.of("letters.key", "next.key", "words")) {
      Path file = home.resolve(key);
      Files.writeString(file, key + " is as good as thirty-two random bytes");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    MadeUpRecording.write(home.resolve("recording"));
    Path rules = home.resolve("rules");
    Files.writeString(
        rules,
        """
        cert ci ci.example.org
        allow read,list / anyone
        allow write / ci
        """);
    Files.setPosixFilePermissions(rules, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        home.resolve("requests.log"),
        """
        fio version 3 iolog
        0 /dev/sdb read 0 8192
        1000 /dev/sdb read 8192 4096
        2000 /dev/sdb write 40960 4096
        """);
    Files.setPosixFilePermissions(
        letters.resolve("a.txt"), PosixFilePermissions.fromString("rw-r--r--"));
  }

  private String run(String line) throws Exception {
    TestShell shell = new TestShell(home.toRealPath());
    String[] args = line.split(" ", -1);
    if (args[0].equals("serve")) {
      CompletableFuture<Integer> code =
          CompletableFuture.supplyAsync(() -> shell.run(with(args, "--port=0")));
      while (!shell.out().endsWith("}\n") && !code.isDone()) {
        Thread.onSpinWait();
      }
      shell.stop.ask();
      assertEquals(ExitCode.OK, code.get(120, TimeUnit.SECONDS), shell::err);
      return shell.out();
    }
    boolean fails =
        line.contains("/nothing") || List.of("handover", "reload").contains(args[0]); // of nobody
    int code = shell.run(args[0].equals("import") ? with(args, "--volume-size=64m") : args);
    assertEquals(fails ? ExitCode.FAILED : ExitCode.OK, code, () -> line + ": " + shell.err());
    return shell.out();
  }

  private static String[] with(String[] args, String more) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add(more);
    return all.toArray(String[]::new);
  }

  /** The text as the page shows it: indented, with the page's values of what varies. */
  private static String shown(String json) throws IOException {
    StringWriter text = new StringWriter();
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter pretty = new DefaultPrettyPrinter();
    pretty.indentArraysWith(lines);
    pretty.indentObjectsWith(lines);
    try (JsonParser parser = new JsonFactory().createParser(json);
        JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.setPrettyPrinter(pretty);
      int inLongArray = -1;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        String name = parser.currentName();
        if (token == JsonToken.START_ARRAY && LONG_ARRAY.equals(name)) {
          inLongArray = 0;
        } else if (token == JsonToken.END_ARRAY) {
          inLongArray = -1;
        } else if (token == JsonToken.START_OBJECT && inLongArray >= 0 && inLongArray++ >= SHOWN) {
          parser.skipChildren();
          continue;
        }
        String value = token.isScalarValue() && name != null ? VARYING.get(name) : null;
        if (value != null) {
          assertEquals(value.startsWith("\""), token == JsonToken.VALUE_STRING, name);
          out.writeRawValue(value);
        } else {
          out.copyCurrentEvent(parser);
        }
      }
    }
    return text.toString();
  }

  private static List<String> tokens(String json) throws IOException {
    List<String> tokens = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      while (parser.nextToken() != null) {
        tokens.add(parser.currentToken() + " " + parser.getText());
      }
    }
    return tokens;
  }
}
