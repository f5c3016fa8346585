package recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The recipes in {@code docs/embedding.md} and {@code docs/tables.md} are the text that stands in
 * its file between {@code // begin} and {@code // end}. {@code -Dupcall.docs.write=true} writes the
 * page's code anew.
 */
class EmbeddingPageTest {
  private static final Path MODULE = Path.of("").toAbsolutePath();
  private static final Path DOCS = MODULE.resolveSibling("docs");
  private static final Path SOURCES = MODULE.resolve("src/test/java/recipes");

  /** A link to the file, then its code. */
  private static final Pattern RECIPE =
      Pattern.compile(
          "\\[`(\\w+)`\\]\\([^)]*?/\\1\\.java\\)[^`]*?```java\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({"embedding.md, .", "tables.md, tables"})
  void thePageShowsWhatRuns(String name, String folder) throws IOException {
    Path file = DOCS.resolve(name);
    String page = Files.readString(file);
    String fresh =
        RECIPE
            .matcher(page)
            .replaceAll(
                shown -> {
                  String all = shown.group();
                  String head = all.substring(0, all.length() - shown.group(2).length() - 3);
                  return Matcher.quoteReplacement(
                      head + part(folder + "/" + shown.group(1)) + "```");
                });
    if (Boolean.getBoolean("upcall.docs.write")) {
      Files.writeString(file, fresh);
    }
    assertEquals(fresh, Files.readString(file), "write it anew with -Dupcall.docs.write=true");
  }

  @ParameterizedTest
  @CsvSource({"embedding.md, ., 15", "tables.md, tables, 10"})
  void everyRecipeStandsOnThePage(String page, String folder, int recipes) throws IOException {
    TreeSet<String> shown = new TreeSet<>();
    RECIPE
        .matcher(Files.readString(DOCS.resolve(page)))
        .results()
        .map((MatchResult recipe) -> recipe.group(1))
        .forEach(shown::add);
    TreeSet<String> there = new TreeSet<>();
    try (Stream<Path> files = Files.list(SOURCES.resolve(folder))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (!name.endsWith("Test")) {
          there.add(name);
        }
      }
    }
    assertEquals(recipes, there.size());
    assertEquals(there, shown);
  }

  @Test
  void aFileWithoutMarksIsNoticed() {
    assertThrows(NoSuchElementException.class, () -> part("RecipesTest"));
  }

  /** What a file shows, as it stands on a page. */
  private static String part(String recipe) {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    try {
      for (String line : Files.readAllLines(SOURCES.resolve(recipe + ".java"))) {
        switch (line.strip()) {
          case "// begin" -> inside = true;
          case "// end" -> inside = false;
          default -> {
            if (inside) {
              lines.add(line);
            }
          }
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    if (lines.isEmpty()) {
      throw new NoSuchElementException("nothing between // begin and // end in " + recipe);
    }
    return String.join("\n", lines).stripTrailing().stripIndent() + "\n";
  }
}
