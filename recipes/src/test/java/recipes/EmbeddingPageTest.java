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

/**
 * What {@code docs/embedding.md} shows of each recipe is what stands in its file between {@code //
 * begin} and {@code // end}. {@code -Dupcall.docs.write=true} writes the page's code anew.
 */
class EmbeddingPageTest {
  private static final Path MODULE = Path.of("").toAbsolutePath();
  private static final Path PAGE = MODULE.resolveSibling("docs/embedding.md");
  private static final Path SOURCES = MODULE.resolve("src/test/java/recipes");

  /** A link to the file, then its code. */
  private static final Pattern RECIPE =
      Pattern.compile(
          "\\[`(\\w+)`\\]\\([^)]*?/\\1\\.java\\)[^`]*?```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void thePageShowsWhatRuns() throws IOException {
    String page = Files.readString(PAGE);
    String fresh =
        RECIPE
            .matcher(page)
            .replaceAll(
                shown -> {
                  String all = shown.group();
                  String head = all.substring(0, all.length() - shown.group(2).length() - 3);
                  return Matcher.quoteReplacement(head + part(shown.group(1)) + "```");
                });
    if (Boolean.getBoolean("upcall.docs.write")) {
      Files.writeString(PAGE, fresh);
    }
    assertEquals(fresh, Files.readString(PAGE), "write it anew with -Dupcall.docs.write=true");
  }

  @Test
  void everyRecipeStandsOnThePage() throws IOException {
    TreeSet<String> shown = new TreeSet<>();
    RECIPE
        .matcher(Files.readString(PAGE))
        .results()
        .map((MatchResult recipe) -> recipe.group(1))
        .forEach(shown::add);
    TreeSet<String> there = new TreeSet<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (!name.endsWith("Test")) {
          there.add(name);
        }
      }
    }
    assertEquals(13, there.size());
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
