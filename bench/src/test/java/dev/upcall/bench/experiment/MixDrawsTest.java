package dev.upcall.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.specweb.FileSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MixDrawsTest {
  @Test
  void classesHaveTheirShares() {
    int count = 100_000;
    List<String> draws = MixDraws.of(new FileSet(3), count, new Random(1));
    Map<Character, Long> classes =
        draws.stream()
            .map(path -> path.charAt(path.indexOf("class") + "class".length()))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertEquals(0.35, classes.get('0') / (double) count, 0.01);
    assertEquals(0.50, classes.get('1') / (double) count, 0.01);
    assertEquals(0.14, classes.get('2') / (double) count, 0.01);
    assertEquals(0.01, classes.get('3') / (double) count, 0.002);
    assertTrue(draws.contains("/file_set/dir00002/class1_4"), "all directories are asked for");
  }

  @Test
  void filesOfAClassFollowPoisson() {
    double[] weights = MixDraws.fileWeights();
    double sum = Arrays.stream(weights).sum();
    assertEquals(142.69, sum, 0.01);
    assertEquals(0.035041, weights[0] / sum, 1e-6);
    assertEquals(0.182506, weights[4] / sum, 1e-6);
    assertEquals(0.037720, weights[8] / sum, 1e-6);
  }
}
