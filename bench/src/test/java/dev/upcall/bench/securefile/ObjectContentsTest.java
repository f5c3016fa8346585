package dev.upcall.bench.securefile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ObjectContentsTest {
  private static final int MANY = 20_000;

  @ParameterizedTest
  @EnumSource
  void sizes_areWithinBoundsAroundTheMean(ObjectSet set) {
    long[] sizes = LongStream.range(0, MANY).map(set::sizeBytes).toArray();
    assertTrue(Arrays.stream(sizes).max().orElseThrow() <= set.mostBytes());
    assertTrue(Arrays.stream(sizes).min().orElseThrow() * 3 >= set.mostBytes() / 2);
    double mean = Arrays.stream(sizes).average().orElseThrow();
    assertEquals(1, mean / set.meanBytes(), 0.01);
    assertEquals(sizes[7], set.sizeBytes(7));
  }

  @Test
  void duplicates_areThePartThatWasAskedFor() {
    ObjectContents three = contents(ObjectContents.Kind.RANDOM, 0.75);
    ObjectContents none = contents(ObjectContents.Kind.RANDOM, 0);
    double own = three.ownBytes(MANY) / (double) none.ownBytes(MANY);
    assertEquals(0.25, own, 0.02);
    long duplicate =
        LongStream.range(1, MANY)
            .filter(object -> three.sizeBytes(object) != none.sizeBytes(object))
            .findFirst()
            .orElseThrow();
    byte[] bytes = three.of(duplicate).clone();
    long original =
        LongStream.range(0, duplicate)
            .filter(object -> Arrays.equals(bytes, none.of(object)))
            .findFirst()
            .orElseThrow();
    assertEquals(none.sizeBytes(original), three.sizeBytes(duplicate));
  }

  @Test
  void anotherObjectsContent_isRefused() {
    ObjectContents contents = contents(ObjectContents.Kind.TEXT, 0);
    byte[] fifth = Arrays.copyOf(contents.of(5), contents.sizeBytes(5));
    byte[] later = Arrays.copyOfRange(fifth, 4096, fifth.length);
    contents.check(5, fifth);
    assertThrows(IllegalStateException.class, () -> contents.check(6, fifth));
    assertThrows(IllegalStateException.class, () -> contents.check(5, later));
    assertArrayEquals(fifth, Arrays.copyOf(contents.of(5), fifth.length));
  }

  @Test
  void text_canBeCompressedAndRandomBytesCannot() {
    assertTrue(deflated(ObjectContents.Kind.TEXT) < 0.5);
    assertTrue(deflated(ObjectContents.Kind.RANDOM) > 0.97);
    assertEquals(0.75, deflated(ObjectContents.Kind.MIXED), 0.15);
  }

  private static double deflated(ObjectContents.Kind kind) {
    ObjectContents contents = new ObjectContents(ObjectSet.DOCUMENT, kind, 0);
    try (Deflater deflater = new Deflater()) {
      deflater.setInput(contents.of(1), 0, contents.sizeBytes(1));
      deflater.finish();
      return deflater.deflate(new byte[2 * ObjectSet.DOCUMENT.mostBytes()])
          / (double) contents.sizeBytes(1);
    }
  }

  private static ObjectContents contents(ObjectContents.Kind kind, double duplicates) {
    return new ObjectContents(ObjectSet.EMAIL, kind, duplicates);
  }
}
