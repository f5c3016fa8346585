package dev.upcall.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Pages that can be looked at: short lines and short paragraphs everywhere, and decisions in one
 * form. What tests write is exempt: the diagrams under {@code docs/state-machines/} ({@code
 * StateMachineDocs}) and the table of {@code docs/metrics.md} ({@code MetricsPageTest}).
 */
class PageShapeTest {
  private static final int MAX_COLUMNS = 140;
  private static final int MAX_WORDS = 120;
  private static final Path DIAGRAMS = Path.of("docs/state-machines");
  private static final Path METERS = Path.of("docs/metrics.md");
  private static final Pattern ITEM = Pattern.compile("([-*]|\\d+\\.) .*");
  private static final Pattern NO_PROSE = Pattern.compile("#.*|\\|.*|");

  /** What an entry of the decisions consists of, in this order; the last two may be missing. */
  private static final Pattern ENTRY =
      Pattern.compile(
          "(?s)[^\n]+\n\n\\*\\*Decision\\.\\*\\* [^|]+?\n\n\\*\\*Because\\.\\*\\* [^|]+?"
              + "(\n\n\\*\\*Rejected\\.\\*\\* [^|]+?)?(\n\n\\*\\*Measured\\.\\*\\* [^|]+?)?\\s*");

  @Test
  void linesAreShort() {
    assertEquals(List.of(), found(page -> longLines(page, DocumentsTest.text(page))));
  }

  @Test
  void paragraphsAreShort() {
    assertEquals(
        List.of(), found(page -> tooLong(paragraphs(DocumentsTest.text(page)), MAX_WORDS)));
  }

  @Test
  void decisionsHaveOneForm() {
    List<String> entries =
        entries(DocumentsTest.text(DocumentsTest.ROOT.resolve("docs/decisions.md")));
    assertTrue(entries.size() > 100, () -> "too few entries: " + entries.size());
    assertEquals(
        List.of(), entries.stream().filter(entry -> !ENTRY.matcher(entry).matches()).toList());
    assertEquals(List.of(), tooLong(entries, MAX_WORDS));
  }

  @Test
  void theScanCanFail() {
    String wide = "x".repeat(MAX_COLUMNS + 1);
    String row = "|" + wide;
    assertEquals(2, longLines(DocumentsTest.ROOT.resolve("README.md"), wide + "\n" + row).size());
    assertEquals(List.of(), longLines(DocumentsTest.ROOT.resolve(METERS), "short\n" + row));
    assertEquals(1, longLines(DocumentsTest.ROOT.resolve(METERS), wide).size());
    assertEquals(
        List.of("a b", "- c d", "1. e", "f"),
        paragraphs("# head\n\na\nb\n- c\n  d\n1. e\n| g |\n\n```\nh\n```\nf"));
    assertEquals(List.of("three words here"), tooLong(List.of("two words", "three words here"), 2));
    String entry = "T\n\n**Decision.** d\n\n**Because.** b\n\n";
    assertEquals(
        List.of(entry.stripTrailing()), entries("## A\n\n### " + entry + "## Dependencies\n### x"));
    assertTrue(ENTRY.matcher(entry).matches());
    assertTrue(ENTRY.matcher(entry + "**Measured.** m\n").matches());
    assertTrue(!ENTRY.matcher("T\n\n**Because.** b\n\n**Decision.** d\n").matches());
    assertTrue(!ENTRY.matcher("T\n\n**Decision.** d\n").matches());
    assertTrue(!ENTRY.matcher(entry + "| a table |\n").matches());
  }

  private static List<String> found(Function<Path, List<String>> scan) {
    return DocumentsTest.pages().stream()
        .filter(page -> !relative(page).startsWith(DIAGRAMS))
        .flatMap(page -> scan.apply(page).stream().map(found -> relative(page) + ": " + found))
        .toList();
  }

  private static List<String> longLines(Path page, String text) {
    boolean hasMeters = relative(page).equals(METERS);
    return text.lines()
        .filter(line -> line.length() > MAX_COLUMNS && !(hasMeters && line.startsWith("|")))
        .toList();
  }

  private static List<String> tooLong(List<String> texts, int maxWords) {
    return texts.stream().filter(text -> text.split("\\s+").length > maxWords).toList();
  }

  /** Paragraphs and items of lists; no headings, tables and fenced text. */
  private static List<String> paragraphs(String page) {
    List<String> paragraphs = new ArrayList<>();
    boolean isOpen = false;
    boolean isFenced = false;
    for (String line : page.lines().map(String::strip).toList()) {
      boolean isFence = line.startsWith("```");
      isFenced ^= isFence;
      if (isFence || isFenced || NO_PROSE.matcher(line).matches()) {
        isOpen = false;
      } else if (isOpen && !ITEM.matcher(line).matches()) {
        paragraphs.add(paragraphs.removeLast() + " " + line);
      } else {
        paragraphs.add(line);
        isOpen = true;
      }
    }
    return paragraphs;
  }

  /** The entries of all rooms; dependencies are tables. */
  private static List<String> entries(String decisions) {
    return Stream.of(decisions.split("(?m)^## "))
        .skip(1)
        .filter(room -> !room.startsWith("Dependencies"))
        .flatMap(room -> Stream.of(room.split("(?m)^### ")).skip(1))
        .map(String::strip)
        .toList();
  }

  private static Path relative(Path page) {
    return DocumentsTest.ROOT.relativize(page);
  }
}
