package dev.upcall.specweb.draw;

import dev.upcall.specweb.FileSet;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** The files that one worker asks for, one after the other, without end. */
public final class Draws {
  private final RandomGenerator random;
  private final int directories;
  private final double[] classes;
  private final double[] files;
  private final double[] popularity;

  /** The sequence of a worker of a run. */
  public Draws(Mix mix, long runSeed, int worker) {
    random = Seeds.FILES.of(runSeed, worker);
    directories = mix.set().directories();
    classes = sums(Mix.CLASS_SHARES.stream().mapToDouble(share -> share).toArray());
    files = sums(mix.weights().shares());
    popularity =
        mix.popularity() == Popularity.UNIFORM
            ? new double[0]
            : mix.popularity().cumulative(directories);
  }

  /** The next one. */
  public FileSet.Entry next() {
    int sizeClass = draw(classes);
    int file = draw(files);
    return new FileSet.Entry(directory(), sizeClass, file);
  }

  private int directory() {
    if (popularity.length == 0) {
      return random.nextInt(directories);
    }
    int found = Arrays.binarySearch(popularity, random.nextDouble());
    return Math.min(directories - 1, found < 0 ? -found - 1 : found + 1);
  }

  private int draw(double[] sums) {
    double at = random.nextDouble();
    int i = 0;
    while (i < sums.length - 1 && at >= sums[i]) {
      i++;
    }
    return i;
  }

  private static double[] sums(double[] shares) {
    double[] sums = shares.clone();
    Arrays.parallelPrefix(sums, Double::sum);
    return sums;
  }
}
