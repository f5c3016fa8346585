package dev.upcall.bench.experiment;

import dev.upcall.specweb.FileSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Requests in the manner of SPECweb96: the directory uniform, the class by its share, the file in
 * its class by a Poisson distribution around the middle one (SPEC printed no more than that; mean 5
 * is our choice).
 */
final class MixDraws {
  /** Requests of each class in a hundred. */
  private static final double[] CLASS_SHARES = {35, 50, 14, 1};

  private static final double MEAN_FILE = 5;

  private MixDraws() {}

  /** Paths to ask for, drawn with a seeded source. */
  static List<String> of(FileSet set, int count, Random random) {
    double[] files = fileWeights();
    return IntStream.range(0, count)
        .mapToObj(
            _ ->
                new FileSet.Entry(
                    random.nextInt(set.directories()),
                    draw(CLASS_SHARES, random),
                    draw(files, random)))
        .map(entry -> "/" + entry.path())
        .toList();
  }

  /** Weights of the files of a class; they need not add up to anything. */
  static double[] fileWeights() {
    double[] weights = new double[FileSet.FILES_PER_CLASS];
    double weight = 1;
    for (int i = 0; i < weights.length; i++) {
      weight *= MEAN_FILE / (i + 1);
      weights[i] = weight;
    }
    return weights;
  }

  private static int draw(double[] weights, Random random) {
    double left = random.nextDouble() * java.util.Arrays.stream(weights).sum();
    for (int i = 0; i < weights.length - 1; i++) {
      left -= weights[i];
      if (left < 0) {
        return i;
      }
    }
    return weights.length - 1;
  }
}
