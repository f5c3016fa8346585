package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the source text of all modules must and must not hold, where class files do not tell. */
class SourceTextTest {
  private static final int MAX_LINES = 500;
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final List<Source> SOURCES = read();

  private record Source(Path path, String text) {
    boolean isMain() {
      return path.toString().contains("/src/main/");
    }

    /** Whether this file is code that runs on a dispatcher. */
    boolean isDispatched() {
      return isMain() && (in("storage-core") || in("fileman"));
    }

    private boolean in(String module) {
      return ROOT.relativize(path).startsWith(module);
    }

    String className() {
      String relative = ROOT.relativize(path).toString();
      return relative
          .substring(relative.indexOf("/java/") + "/java/".length())
          .replace(".java", "")
          .replace('/', '.');
    }
  }

  @Test
  void modulesAreFound() {
    assertTrue(Files.exists(ROOT.resolve("pom.xml")), () -> "not the parent of a module: " + ROOT);
    assertTrue(SOURCES.stream().anyMatch(Source::isDispatched));
  }

  @Test
  void nothingIsLeftOver() {
    // Spelled in pieces, so that this file does not find itself.
    Pattern leftOver = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X|HA" + "CK)\\b");
    assertNone("finish it, or open an issue", source -> leftOver.matcher(source.text()).find());
  }

  @Test
  void noTestIsSwitchedOff() {
    Pattern off = Pattern.compile("@Dis" + "abled|\\bassume" + "(True|False|That|ingThat)\\(");
    assertNone(
        "choose the fallback in the constructor", source -> off.matcher(source.text()).find());
  }

  @Test
  void noErrorIsSwallowed() {
    Pattern empty = Pattern.compile("catch \\([^)]*\\) \\{\\s*\\}");
    assertNone("handle it, or say in the block why not", s -> empty.matcher(s.text()).find());
  }

  @Test
  void dispatchedCodeTakesNoLocks() {
    Pattern lock = Pattern.compile("\\bsynchron" + "ized \\(");
    assertNone(
        "state belongs to one thread",
        source ->
            source.isDispatched()
                && !Exceptions.THREADS.has(source.className())
                && lock.matcher(source.text()).find());
  }

  @Test
  void listsOfTheHouseNameWhatThereIs() {
    List<String> product = SOURCES.stream().filter(Source::isMain).map(Source::className).toList();
    for (Exceptions.Exception list : Exceptions.ALL) {
      assertEquals(List.of(), list.without(product), "an exception for nobody: take it out");
    }
    assertEquals(List.of(), Layers.without(product), "a layer of nothing: take it out");
    List<String> onlyTheDispatcher = List.of("dev.upcall.fsm.Dispatcher");
    assertTrue(
        Exceptions.THREADS.without(onlyTheDispatcher).contains("dev.upcall.fsm.wakeup.Inbox"));
    assertFalse(
        Exceptions.THREADS.without(onlyTheDispatcher).contains("dev.upcall.fsm.Dispatcher"));
    assertFalse(Layers.without(onlyTheDispatcher).contains("dev.upcall.fsm"));
  }

  @Test
  void publicTypesSayWhatTheyAre() {
    Pattern head = Pattern.compile("(?m)^public [a-z -]*(class|interface|record|enum|@interface) ");
    assertNone(
        "write the contract above the type",
        source -> {
          var type = head.matcher(source.text());
          return source.isMain()
              && type.find()
              && !source.text().substring(0, type.start()).contains("\n/**");
        });
  }

  @Test
  void packagesSayWhatTheyOwn() {
    List<Path> silent = new ArrayList<>();
    SOURCES.stream()
        .filter(source -> source.isMain() && !source.path().endsWith("module-info.java"))
        .map(source -> source.path().getParent())
        .distinct()
        .forEach(
            folder -> {
              String info = textOrEmpty(folder.resolve("package-info.java"));
              boolean complete =
                  info.contains("@NullMarked")
                      && info.contains("<b>Owns</b>")
                      && info.contains("<b>Thread</b>")
                      && info.contains("<b>May use</b>");
              if (!complete) {
                silent.add(ROOT.relativize(folder));
              }
            });
    assertEquals(
        List.of(),
        silent,
        "package-info.java with @NullMarked, Owns, Thread and May use is missing");
  }

  @Test
  void classesHaveOneReasonToExist() {
    assertNone(
        "split it by machine, not by helper (more than " + MAX_LINES + " lines)",
        source -> source.isMain() && source.text().lines().count() > MAX_LINES);
  }

  private static void assertNone(String instead, Predicate<Source> isBad) {
    List<String> bad =
        SOURCES.stream()
            .filter(isBad)
            .map(source -> ROOT.relativize(source.path()).toString())
            .toList();
    assertEquals(List.of(), bad, instead);
  }

  private static List<Source> read() {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src"))
          .filter(Files::isDirectory)
          .sorted()
          .flatMap(SourceTextTest::javaFiles)
          .map(path -> new Source(path, textOrEmpty(path)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String textOrEmpty(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
