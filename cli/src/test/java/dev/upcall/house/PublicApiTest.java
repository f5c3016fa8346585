package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The public API of each published module is what {@code docs/api} lists: nobody breaks a program
 * that was compiled before without meaning to.
 */
class PublicApiTest {
  private static final Path LISTS = PublishedModules.ROOT.resolve("docs/api");
  private static final String ACCEPT =
      "mvn test -pl cli -am -Dtest=PublicApiTest -Dupcall.api.accept=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @TestFactory
  Stream<DynamicTest> nothingChangesUnmeant() {
    return PublishedModules.published().stream()
        .filter(module -> PublishedModules.descriptor(module).isPresent())
        .map(module -> DynamicTest.dynamicTest(module, () -> check(module)));
  }

  private static void check(String module) throws IOException {
    Path list = LISTS.resolve(module + ".txt");
    List<String> now = PublicApi.of(module);
    if (Boolean.getBoolean("upcall.api.accept")) {
      Files.createDirectories(LISTS);
      Files.write(list, now);
    }
    List<String> before = Files.readAllLines(list);
    if (!before.equals(now)) {
      fail(difference(module, before, now));
    }
  }

  private static String difference(String module, List<String> before, List<String> now) {
    List<String> gone = new ArrayList<>(before);
    gone.removeAll(now);
    List<String> added = new ArrayList<>(now);
    added.removeAll(before);
    return "docs/api/%s.txt is not what %s exports.\n".formatted(module, module)
        + lines("Gone or changed, so that programs compiled before fail:", gone)
        + lines("New:", added)
        + "If that is meant, accept it with: "
        + ACCEPT;
  }

  private static String lines(String title, List<String> lines) {
    return lines.isEmpty() ? "" : title + "\n  " + String.join("\n  ", lines) + "\n";
  }

  @Test
  void aChangeIsTold() {
    String told = difference("m", List.of("a", "b"), List.of("b", "c"));
    assertTrue(told.contains("fail:\n  a\nNew:\n  c\n"), told);
    assertTrue(told.endsWith("-Dsurefire.failIfNoSpecifiedTests=false"), told);
  }

  @Test
  void theListsHoldWhatProgramsName() {
    List<String> lines = PublicApi.of("fileman");
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("dev.upcall.Upcall  - public static")));
    assertEquals(List.of(), lines.stream().filter(line -> line.contains(".blocking.")).toList());
    assertTrue(lines.stream().anyMatch(line -> line.endsWith(".MAX_ARRAY_BYTES = 2147483639")));
  }
}
