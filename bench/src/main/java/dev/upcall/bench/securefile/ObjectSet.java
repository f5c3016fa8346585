package dev.upcall.bench.securefile;

import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A set of objects whose sizes are alike, one of the five of <i>Oracle SecureFiles: Prepared for
 * the Digital Deluge</i>. Sizes are drawn evenly between two bounds; those of videos have a peak.
 */
public enum ObjectSet {
  /** Messages. */
  EMAIL("e-mail", 5_000, 14_000),
  /** Documents. */
  DOCUMENT("document", 80_000, 110_000),
  /** Images of low resolution. */
  IMAGE_LOW("low-res image", 900_000, 1_200_000),
  /** Images of high resolution. */
  IMAGE_HIGH("high-res image", 8_500_000, 11_300_000),
  /** Videos, whose median is 97 MB. */
  VIDEO("video", 90_000_000, 114_000_000);

  private static final int VIDEO_MEDIAN = 97_000_000;

  private final String label;
  private final int least;
  private final int most;

  ObjectSet(String label, int least, int most) {
    this.label = label;
    this.least = least;
    this.most = most;
  }

  /** Its name on the page. */
  public String label() {
    return label;
  }

  /** The largest size of an object, in bytes. */
  public int mostBytes() {
    return most;
  }

  /** The mean size of an object, in bytes. */
  public int meanBytes() {
    return this == VIDEO ? (least + VIDEO_MEDIAN + most) / 3 : (least + most) / 2;
  }

  /** How many pieces of at most so many bytes the first objects have, all together. */
  public long pieces(long objects, int bytes) {
    return LongStream.range(0, objects).map(each -> Math.ceilDiv(sizeBytes(each), bytes)).sum();
  }

  /** The size of an object of the set, in bytes: the same each time. */
  int sizeBytes(long object) {
    double drawn = new SplittableRandom(object).nextDouble();
    return least + (int) ((most - least) * (this == VIDEO ? peaked(drawn) : drawn));
  }

  /** The inverse of the triangular distribution from 0 to 1 whose peak is the median's place. */
  private double peaked(double drawn) {
    double peak = (double) (VIDEO_MEDIAN - least) / (most - least);
    return drawn < peak ? Math.sqrt(drawn * peak) : 1 - Math.sqrt((1 - drawn) * (1 - peak));
  }
}
