package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the documents name must exist: types and members in code spans, files, and links. So a page
 * cannot go stale when something is renamed.
 */
class DocumentsTest {
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final Pattern TYPE =
      Pattern.compile(
          "([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.([A-Za-z][A-Za-z_0-9]*))?(\\(.*)?");
  private static final Pattern DECLARATION =
      Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
  private static final Pattern QUALIFIED = Pattern.compile("dev\\.upcall(\\.[A-Za-z]+)+");
  private static final Pattern FILE = Pattern.compile("(docs|storage-core|\\.ci)/[\\w./-]+");

  /** The pages that describe the code as it is; decisions also name what was rejected. */
  private static final List<String> PAGES =
      List.of(
          "docs/architecture.md",
          "docs/checkpoint.md",
          "docs/recovery.md",
          "docs/snapshots.md",
          "docs/threads.md",
          "docs/failover.md",
          "docs/running.md",
          "docs/containers.md",
          "docs/format.md",
          "docs/embedding.md",
          "docs/handles.md",
          "docs/journal.md",
          "docs/trace.md",
          "docs/blocks.md",
          "docs/transactions.md",
          "docs/glossary.md",
          "docs/hacking.md",
          "docs/http.md",
          "docs/trust.md",
          "docs/commands.md",
          "docs/tables.md",
          "docs/compression.md",
          "docs/json.md",
          "docs/limits.md",
          "docs/nio.md",
          "README.md");

  private final Map<String, String> sources = sources();

  /** By the types that they declare. */
  private final Map<String, List<String>> declaring = declaring(sources.values());

  @Test
  void whatPagesNameExists() {
    List<String> missing = new ArrayList<>();
    for (String page : PAGES) {
      for (String name : spans(text(ROOT.resolve(page)))) {
        if (!exists(name)) {
          missing.add(page + " names " + name);
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void linksLeadSomewhere() {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      LINK.matcher(text(page))
          .results()
          .map(link -> link.group(1))
          .filter(target -> !target.contains("://"))
          .filter(target -> !Files.exists(page.resolveSibling(target)))
          .forEach(target -> broken.add(ROOT.relativize(page) + " links to " + target));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void theScanCanFail() {
    assertTrue(exists("Dispatcher.turn"));
    assertTrue(exists("Staged.Tiny"));
    assertTrue(exists("dev.upcall.txn.state.RecordCodec"));
    assertTrue(exists("docs/format.md"));
    assertFalse(exists("Dispatcher.noSuchMethod"));
    assertTrue(exists("NoSuchFileException"));
    assertFalse(exists("NoSuchClassAtAll"));
    assertFalse(exists("dev.upcall.txn.NoSuchClass"));
    assertFalse(exists("docs/no-such-page.md"));
    assertEquals(List.of("Tree"), spans("a `Tree`\n```\n`Fenced`\n```\n"));
  }

  /** Whether a code span names something that is there; what is not a name of ours counts. */
  private boolean exists(String span) {
    if (QUALIFIED.matcher(span).matches()) {
      String path = "/java/" + span.replace('.', '/');
      return sources.keySet().stream()
          .anyMatch(source -> source.contains(path + ".java") || source.contains(path + "/"));
    }
    if (FILE.matcher(span).matches()) {
      return Files.exists(ROOT.resolve(span));
    }
    MatchResult type = TYPE.matcher(span).results().findFirst().orElse(null);
    if (type == null || !type.group().equals(span)) {
      return true;
    }
    String member = type.group(2);
    return isOfTheJdk(type.group(1))
        || declaring.getOrDefault(type.group(1), List.of()).stream()
            .anyMatch(source -> mentions(source, member));
  }

  /** Names of files and channels, which a page about them cannot do without. */
  private static boolean isOfTheJdk(String type) {
    return Stream.of("java.lang.", "java.nio.file.", "java.nio.channels.")
        .anyMatch(
            home -> {
              try {
                Class.forName(home + type, false, DocumentsTest.class.getClassLoader());
                return true;
              } catch (ClassNotFoundException other) {
                return false;
              }
            });
  }

  private static Map<String, List<String>> declaring(Collection<String> sources) {
    Map<String, List<String>> declaring = new HashMap<>();
    for (String source : sources) {
      DECLARATION
          .matcher(source)
          .results()
          .forEach(
              found ->
                  declaring.computeIfAbsent(found.group(1), _ -> new ArrayList<>()).add(source));
    }
    return declaring;
  }

  private static boolean mentions(String source, String member) {
    return member == null || Pattern.compile("\\b" + member + "\\b").matcher(source).find();
  }

  private static List<String> spans(String page) {
    return SPAN.matcher(FENCE.matcher(page).replaceAll(""))
        .results()
        .map(span -> span.group(1))
        .toList();
  }

  /** Every page of prose: that of the root, those of the modules, and all under {@code docs/}. */
  static List<Path> pages() {
    List<Path> pages = new ArrayList<>();
    pages.add(ROOT.resolve("README.md"));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Stream<Path> modules = Files.list(ROOT)) {
      modules
          .map(module -> module.resolve("README.md"))
          .filter(Files::exists)
          .sorted()
          .forEach(pages::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pages;
  }

  private static Map<String, String> sources() {
    Map<String, String> sources = new LinkedHashMap<>();
    for (String module :
        List.of(
            "journal",
            "storage-core",
            "simulation",
            "lab",
            "fileman",
            "metrics",
            "recipes",
            "feed",
            "httpd",
            "threads",
            "codec-zstd",
            "cli",
            "specweb",
            "bench")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .sorted()
            .forEach(file -> sources.put(file.toString(), text(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sources;
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
