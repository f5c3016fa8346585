package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each suite of the modules below that has a test for each engine runs here, too. */
class EachEngineHereTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern EXTENDS = Pattern.compile("class \\w+ extends (\\w+Test) ");

  @Test
  void noSuiteIsForgotten() throws IOException {
    Set<String> wanted = new TreeSet<>();
    for (String module : new String[] {"fileman", "httpd"}) {
      for (Path file : tests(module)) {
        if (Files.readString(file).contains("\n  @EachEngine")) {
          wanted.add(file.getFileName().toString().replace(".java", ""));
        }
      }
    }
    Set<String> here = new TreeSet<>();
    for (Path file : tests("threads")) {
      EXTENDS.matcher(Files.readString(file)).results().forEach(one -> here.add(one.group(1)));
    }
    assertTrue(wanted.size() > 20, wanted::toString);
    assertEquals(wanted, here, "nest the suite in the test of its package");
  }

  private static Set<Path> tests(String module) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).collect(Collectors.toSet());
    }
  }
}
