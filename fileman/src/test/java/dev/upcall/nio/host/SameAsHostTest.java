package dev.upcall.nio.host;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fileman.blocking.EachEngine;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** A table of calls: a store answers as the file system of the host, exceptions included. */
class SameAsHostTest {
  private static final String NAMES_IT = "names the directory, of which the host says null";
  private static final String QUIRK = "the host takes a loop on the way for a link at the end";
  private static final String OTHER = "of two things that are wrong the other is told";
  private static final String BEFORE = "the host's JDK sets 1970 for a fraction before it";
  private static final String LONG = "a name that is too long is not there";
  private static final String ASKED = "names the path asked for, not what is missing";
  private static final String DEFAULTS = "the JDK asks for that in its own file system only";
  private static final String CLOSED = "the host says that it was closed meanwhile";
  private static final String GONE = "nothing is kept of a directory that was deleted";

  /** Where a store answers otherwise, and why. */
  private static final Map<String, String> DIFFERENT =
      new TreeMap<>(
          Map.ofEntries(
              entry("closed asynchronous truncate [READ, WRITE]", CLOSED),
              entry("closed asynchronous truncate to more [READ, WRITE]", CLOSED),
              entry("closed asynchronous write without a buffer [READ, WRITE]", OTHER),
              entry("interrupted: lines", "the host reads by a channel, which an interrupt closes"),
              entry("copy replacing link to link", "the host loses the link; here it stays"),
              entry("move atomically empty to full", "says that it is not empty, not only a text"),
              entry("move atomically missing to file/x", OTHER),
              entry("real nofollow missing/..", ASKED),
              entry("real nofollow of full/inner/../no", ASKED),
              entry("real nofollow of full/no/..", ASKED),
              entry("real nofollow of link-to-nothing/..", ASKED),
              entry("time 1969-12-31T23:59:59.500Z", BEFORE),
              entry("time by name 1969-12-31T23:59:59.500Z", BEFORE),
              entry("time by a view 1969-12-31T23:59:59.500Z", BEFORE),
              entry("time 1969-12-31T23:59:59.999999999Z", BEFORE),
              entry("time by name 1969-12-31T23:59:59.999999999Z", BEFORE),
              entry("time by a view 1969-12-31T23:59:59.999999999Z", BEFORE),
              entry("time 1960-02-29T12:00:00.000000001Z", BEFORE),
              entry("time by name 1960-02-29T12:00:00.000000001Z", BEFORE),
              entry("time by a view 1960-02-29T12:00:00.000000001Z", BEFORE),
              entry("names of nothing owner:*,size", OTHER),
              entry("user's attribute of a long name", "all attributes together have 320 bytes"),
              entry("content of long", LONG),
              entry("attributes of long", LONG),
              entry("same as other long", LONG),
              entry("copy of long", LONG),
              entry("temporary file's permissions", DEFAULTS),
              entry("temporary directory's permissions", DEFAULTS),
              entry("open directory: delete directory 'full'", NAMES_IT),
              entry("open directory: delete directory 'full/..'", NAMES_IT),
              entry("open directory: channel of 'loop/x' with [NOFOLLOW_LINKS, READ]", QUIRK),
              entry(
                  "open directory: channel of 'loop/x' with [CREATE, NOFOLLOW_LINKS, WRITE]",
                  QUIRK),
              entry("open directory: channel of 'loop/x' with [DELETE_ON_CLOSE, WRITE]", QUIRK),
              entry("open directory: channel of '' with [CREATE_NEW, WRITE]", "nothing is there"),
              entry("open directory: move empty to full", "says that it is not empty"),
              entry("open directory: move missing to file/x", OTHER),
              entry("open directory: deleted and then list itself", GONE),
              entry("open directory: deleted and then look at it", GONE),
              entry("open directory: deleted and then look at its parent", GONE)));

  @TempDir Path folder;

  private static List<Call> calls() {
    return Stream.of(
            ContentCalls.all(),
            NameCalls.all(),
            AttributeCalls.all(),
            SecureCalls.all(),
            InterruptedCalls.all(),
            ChannelCalls.all(),
            AsynchronousCalls.all(),
            AttributeEdgeCalls.all(),
            NameEdgeCalls.all())
        .flatMap(List::stream)
        .toList();
  }

  @ParameterizedTest
  @EachEngine
  void theStoreAnswersAsTheHostDoes(Engine engine) throws Exception {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20).withEngine(engine);
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    List<String> different = new ArrayList<>();
    try (Upcall store = Upcall.create(folder.resolve(engine + ".upcall"), config);
        FileSystem system = store.fileSystem()) {
      int number = 0;
      for (Call call : calls()) {
        Path host = Files.createDirectory(folder.resolve(engine + "-" + number));
        Path ours = Files.createDirectory(system.getPath("/d" + number));
        String onHost = call.name() + ": " + call.outcome(host);
        String here = call.name() + ": " + call.outcome(ours);
        if (DIFFERENT.containsKey(call.name()) && !here.equals(onHost)) {
          different.add(call.name());
        } else {
          expected.add(onHost);
          found.add(here);
        }
        number++;
      }
    }
    assertEquals(List.copyOf(DIFFERENT.keySet()), different.stream().sorted().toList());
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  @Test
  void theTableIsOfSomeSize() {
    assertTrue(calls().size() > 150, () -> "only " + calls().size());
    assertEquals(calls().size(), calls().stream().map(Call::name).distinct().count());
  }
}
