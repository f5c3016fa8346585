package dev.upcall.bench.ecommerce;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * How often each interaction is drawn, independently of those before.
 *
 * @param name as the paper has it
 * @param shares what is drawn, in per cent
 */
public record Mix(String name, List<Share> shares) {
  private static final double TOLERANCE = 1e-6;

  /** Copies the list, and checks that it is all. */
  public Mix {
    shares = List.copyOf(shares);
    double sum = shares.stream().mapToDouble(Share::percent).sum();
    if (Math.abs(sum - 100) > TOLERANCE) {
      throw new IllegalArgumentException(name + " has " + sum + " per cent");
    }
  }

  /**
   * One interaction of a mix.
   *
   * @param kind its name
   * @param percent how often
   */
  public record Share(String kind, double percent) {}

  /** Of interactions in order, each with its part. */
  static Mix of(String name, List<String> kinds, double... percents) {
    return new Mix(
        name,
        IntStream.range(0, percents.length)
            .mapToObj(i -> new Share(kinds.get(i), percents[i]))
            .toList());
  }

  /** The next one. */
  public String draw(RandomGenerator random) {
    double at = random.nextDouble() * 100;
    for (Share share : shares) {
      at -= share.percent();
      if (at < 0) {
        return share.kind();
      }
    }
    return shares.getLast().kind();
  }
}
