package dev.upcall.specweb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, sizes and contents of the file set are those of the reference. */
class FileSetTest {
  @Test
  void directoryHas36FilesOfThePrintedSizes() {
    List<FileSet.Entry> entries = new FileSet(1).entries().toList();
    assertEquals(36, entries.size());
    assertEquals(
        List.of(102, 204, 307, 409, 512, 614, 716, 819, 922),
        entries.subList(0, 9).stream().map(FileSet.Entry::sizeBytes).toList());
    assertEquals(1_024, entries.get(9).sizeBytes());
    assertEquals(9_216, entries.get(17).sizeBytes());
    assertEquals(10_240, entries.get(18).sizeBytes());
    assertEquals(92_160, entries.get(26).sizeBytes());
    assertEquals(102_400, entries.get(27).sizeBytes());
    assertEquals(921_600, entries.get(35).sizeBytes());
    long sum = entries.stream().mapToLong(FileSet.Entry::sizeBytes).sum();
    assertEquals(5_119_485, sum);
    assertEquals(sum, new FileSet(1).totalBytes());
  }

  @ParameterizedTest
  @CsvSource({"50, 32", "100, 45", "500, 100", "2000, 200", "10000, 448", "40000, 895", "1, 10"})
  void setGrowsWithTheRootOfTheRate(double opsPerSecond, int directories) {
    assertEquals(directories, FileSet.forRate(opsPerSecond).directories());
  }

  @Test
  void namesSortAsTheyAreListed() {
    List<String> paths = new FileSet(11).entries().map(FileSet.Entry::path).toList();
    assertEquals("file_set/dir00000/class0_0", paths.getFirst());
    assertEquals("file_set/dir00010/class3_8", paths.getLast());
    assertEquals(paths.stream().sorted().distinct().toList(), paths);
  }

  @Test
  void contentFollowsTheFormula() {
    FileSet.Entry entry = new FileSet.Entry(3, 2, 4);
    byte[] content = entry.content();
    String symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i : new int[] {0, 63, 64, 65, 4_095, 51_199}) {
      int index = (3 * 7 + 2 * 31 + 5 * 17 + i + (i / 64) * 13) % 64;
      assertEquals(symbols.charAt(index), (char) content[i], "byte " + i);
    }
  }

  @Test
  void differenceIsFoundWhereItIs() {
    FileSet.Entry entry = new FileSet.Entry(0, 1, 0);
    byte[] content = entry.content();
    assertEquals(-1, entry.firstDifference(0, content, content.length));
    byte[] middle = java.util.Arrays.copyOfRange(content, 100, 300);
    assertEquals(-1, entry.firstDifference(100, middle, 200));
    middle[7]++;
    assertEquals(107, entry.firstDifference(100, middle, 200));
    assertEquals(-1, entry.firstDifference(100, middle, 7));
    byte[] longer = java.util.Arrays.copyOf(content, content.length + 1);
    assertEquals(content.length, entry.firstDifference(0, longer, longer.length));
  }

  @Test
  void neighboursDiffer() {
    FileSet.Entry entry = new FileSet.Entry(5, 1, 2);
    assertTrue(entry.firstDifference(0, new FileSet.Entry(6, 1, 2).content(), 64) >= 0);
    assertTrue(entry.firstDifference(0, new FileSet.Entry(5, 2, 2).content(), 64) >= 0);
    assertTrue(entry.firstDifference(0, new FileSet.Entry(5, 1, 3).content(), 64) >= 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 100_001})
  void setsThatCannotBeNamedAreRefused(int directories) {
    assertThrows(IllegalArgumentException.class, () -> new FileSet(directories));
  }
}
