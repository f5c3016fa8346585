package dev.upcall.specweb.draw;

import dev.upcall.specweb.FileSet;
import java.util.List;

/**
 * What a load asks for: class, file and directory are independent draws.
 *
 * @param set the files
 * @param weights of the files in their class
 * @param popularity of the directories
 */
public record Mix(FileSet set, FileWeights weights, Popularity popularity) {
  /** Shares of the size classes; SPEC printed them. */
  public static final List<Double> CLASS_SHARES = List.of(0.35, 0.50, 0.14, 0.01);

  /** Bytes of a body on average. */
  public double meanBytes() {
    double[] shares = weights.shares();
    double mean = 0;
    for (int sizeClass = 0; sizeClass < FileSet.CLASSES; sizeClass++) {
      for (int file = 0; file < FileSet.FILES_PER_CLASS; file++) {
        int bytes = new FileSet.Entry(0, sizeClass, file).sizeBytes();
        mean += CLASS_SHARES.get(sizeClass) * shares[file] * bytes;
      }
    }
    return mean;
  }
}
