package dev.upcall.specweb.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is asked for has the shares of the reference, and follows from the seed. */
class DrawsTest {
  private static final int DRAWS = 1_000_000;
  private static final int DIRECTORIES = 100;
  private static final long SEED = 96;

  private static Mix mix(FileWeights weights, Popularity popularity) {
    return new Mix(new FileSet(DIRECTORIES), weights, popularity);
  }

  private static List<FileSet.Entry> draw(Mix mix, long seed, int worker, int count) {
    Draws draws = new Draws(mix, seed, worker);
    return Stream.generate(draws::next).limit(count).toList();
  }

  @Test
  void classesHaveTheirShares() {
    long[] counts = new long[FileSet.CLASSES];
    draw(mix(FileWeights.POISSON5, Popularity.UNIFORM), SEED, 0, DRAWS)
        .forEach(entry -> counts[entry.sizeClass()]++);
    ChiSquare.assertFits(new double[] {0.35, 0.50, 0.14, 0.01}, counts, "classes");
  }

  @ParameterizedTest
  @EnumSource
  void filesOfEachClassHaveTheirShares(FileWeights weights) {
    long[][] counts = new long[FileSet.CLASSES][FileSet.FILES_PER_CLASS];
    draw(mix(weights, Popularity.UNIFORM), SEED, 1, DRAWS)
        .forEach(entry -> counts[entry.sizeClass()][entry.file()]++);
    for (long[] ofClass : counts) {
      ChiSquare.assertFits(weights.shares(), ofClass, weights + " " + Arrays.toString(ofClass));
    }
    assertEquals(1, Arrays.stream(weights.shares()).sum(), 1e-12);
  }

  @Test
  void weightsAreThoseOfTheTable() {
    double[] table = {
      0.035041, 0.087603, 0.146005, 0.182506, 0.182506, 0.152088, 0.108634, 0.067897, 0.037720
    };
    double[] shares = FileWeights.POISSON5.shares();
    for (int i = 0; i < table.length; i++) {
      assertEquals(table[i], shares[i], 5e-7);
    }
  }

  @Test
  void filesRankAsInSpecweb99() {
    List<Integer> expected = List.of(5, 4, 6, 3, 7, 2, 8, 9, 1);
    assertEquals(expected, ranks(FileWeights.ZIPF99.shares()));
    // 4 and 5 are the same, and the stable order takes the lower first.
    List<Integer> tied = List.of(4, 5, 6, 3, 7, 2, 8, 9, 1);
    assertEquals(tied, ranks(FileWeights.POISSON5.shares()));
  }

  private static List<Integer> ranks(double[] shares) {
    return IntStream.range(0, shares.length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> -Math.round(shares[i] * 1e9)))
        .map(i -> i + 1)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"POISSON5, 14566", "POISSON4, 14661", "ZIPF99, 14727", "UNIFORM, 15027"})
  void meansAreThoseOfTheReference(FileWeights weights, int bytes) {
    assertEquals(bytes, mix(weights, Popularity.UNIFORM).meanBytes(), 1);
  }

  @Test
  void meanTransferIsMet() {
    Draws draws = new Draws(mix(FileWeights.POISSON5, Popularity.UNIFORM), SEED, 2);
    int count = 5_000_000;
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += draws.next().sizeBytes();
    }
    assertEquals(14_566, (double) bytes / count, 145);
  }

  @ParameterizedTest
  @EnumSource
  void directoriesHaveTheirShares(Popularity popularity) {
    long[] counts = new long[DIRECTORIES];
    draw(mix(FileWeights.POISSON5, popularity), SEED, 3, DRAWS)
        .forEach(entry -> counts[entry.directory()]++);
    double[] sums = popularity.cumulative(DIRECTORIES);
    double[] shares = new double[DIRECTORIES];
    for (int i = 0; i < DIRECTORIES; i++) {
      shares[i] = sums[i] - (i == 0 ? 0 : sums[i - 1]);
    }
    ChiSquare.assertFits(shares, counts, popularity + " directories");
    if (popularity == Popularity.ZIPF) {
      assertEquals(10, shares[0] / shares[9], 1e-9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void drawsAreIndependent(Popularity popularity) {
    long[][] classFile = new long[FileSet.CLASSES][FileSet.FILES_PER_CLASS];
    long[][] classDirectory = new long[FileSet.CLASSES][DIRECTORIES];
    long[][] fileDirectory = new long[FileSet.FILES_PER_CLASS][DIRECTORIES];
    for (FileSet.Entry entry : draw(mix(FileWeights.POISSON5, popularity), SEED, 4, DRAWS)) {
      classFile[entry.sizeClass()][entry.file()]++;
      classDirectory[entry.sizeClass()][entry.directory()]++;
      fileDirectory[entry.file()][entry.directory()]++;
    }
    ChiSquare.assertIndependent(classFile, "class and file");
    ChiSquare.assertIndependent(classDirectory, "class and directory");
    ChiSquare.assertIndependent(fileDirectory, "file and directory");
  }

  @Test
  void theTestCanFail() {
    long[] skewed = {100_000, 103_000, 100_000, 100_000};
    double[] even = {0.25, 0.25, 0.25, 0.25};
    ChiSquare.assertFits(even, new long[] {100_100, 99_900, 100_050, 99_950}, "even");
    assertThrows(AssertionError.class, () -> ChiSquare.assertFits(even, skewed, "skewed"));
    assertThrows(
        AssertionError.class,
        () -> ChiSquare.assertIndependent(new long[][] {{1_100, 800}, {800, 1_100}}, "tied"));
    // From a printed table: 0.001 with 3, 8 and 99 degrees of freedom.
    assertEquals(16.27, ChiSquare.limit(3), 0.3);
    assertEquals(26.12, ChiSquare.limit(8), 0.3);
    assertEquals(148.23, ChiSquare.limit(99), 0.3);
  }

  @Test
  void sameSeedIsTheSameSequence() {
    Mix mix = mix(FileWeights.POISSON5, Popularity.UNIFORM);
    assertEquals(draw(mix, 7, 3, 1_000), draw(mix, 7, 3, 1_000));
    assertNotEquals(draw(mix, 7, 3, 100), draw(mix, 7, 4, 100));
    assertNotEquals(draw(mix, 7, 3, 100), draw(mix, 8, 3, 100));
    // On every machine, in every release: reports name their seeds.
    assertEquals("file_set/dir00036/class1_4", draw(mix, 7, 3, 1).getFirst().path());
  }

  @Test
  void gapsAreExponential() {
    Gaps gaps = new Gaps(1e6, SEED, 0);
    double[] sorted = new double[100_000];
    Arrays.setAll(sorted, _ -> gaps.nextNanos());
    Arrays.sort(sorted);
    double most = 0;
    for (int i = 0; i < sorted.length; i++) {
      double expected = 1 - Math.exp(-sorted[i] / 1e6);
      most = Math.max(most, Math.abs(expected - (i + 0.5) / sorted.length));
    }
    // Kolmogorov and Smirnov's limit at 0.001.
    assertTrue(most < 1.95 / Math.sqrt(sorted.length), "distance " + most);
  }

  @Test
  void noThinkTimeIsNoGap() {
    Gaps none = new Gaps(0, SEED, 0);
    assertEquals(0, none.nextNanos());
    assertThrows(IllegalArgumentException.class, () -> new Gaps(-1, SEED, 0));
    assertThrows(IllegalArgumentException.class, () -> new Gaps(Double.NaN, SEED, 0));
  }
}
