package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.txn.StoreTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of the store's trees, which every volume names by their numbers. */
class StoreTreeTest {
  private static final Path FORMAT = Path.of("").toAbsolutePath().resolve("../docs/format.md");

  /**
   * Of the table of trees: id, name, first version. Extent trees, below it, are not the store's.
   */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+) \\| (\\w+) \\| (\\d) \\|");

  @Test
  void thePageOfTheFormatListsThem() throws IOException {
    List<String> listed =
        Arrays.stream(StoreTree.values())
            .map(
                tree ->
                    tree.number()
                        + " "
                        + tree.name().toLowerCase(Locale.ROOT)
                        + " "
                        + tree.sinceFormat())
            .toList();
    List<String> drawn =
        ROW.matcher(Files.readString(FORMAT))
            .results()
            .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
            .toList();
    assertEquals(drawn, listed);
  }

  @Test
  void onlyTheCheckpointsImageIsNotFrozen() {
    assertEquals(
        List.of(StoreTree.UNPLACED),
        Arrays.stream(StoreTree.values()).filter(tree -> !tree.isFrozen()).toList());
  }

  @Test
  void inodesAndTheImageTakeNoSingleEntries() {
    assertEquals(
        List.of(StoreTree.INODES, StoreTree.UNPLACED),
        Arrays.stream(StoreTree.values()).filter(tree -> !tree.isWritable()).toList());
  }

  /** Reserved, or of extent trees, or never given. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 11, 16, 17, 99})
  void numbersOfNoTreeAreRefused(int number) {
    assertThrows(IllegalArgumentException.class, () -> StoreTree.of(number));
  }
}
