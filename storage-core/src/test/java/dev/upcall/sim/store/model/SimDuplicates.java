package dev.upcall.sim.store.model;

import dev.upcall.store.StoreFixture;
import java.util.SplittableRandom;

/**
 * Contents that come again and again: a few of them begin alike and are as large, and differ at
 * their end. Their numbers are negative, and so those of no other content.
 */
public final class SimDuplicates {
  private static final int[] SIZES = {5_000, 12_345, 70_000};
  private static final int TAILS = 32;
  private static final int USUAL_TAILS = 2;
  private static final int TAIL_BYTES = 700;

  private SimDuplicates() {}

  /**
   * One of them.
   *
   * @param number of the content
   */
  public record Drawn(long number, byte[] bytes) {}

  /**
   * Draws one, mostly one of few.
   *
   * @param which contents there are
   */
  public static Drawn draw(int which, SplittableRandom random) {
    int group = random.nextInt(SIZES.length);
    int tail = random.nextInt(random.nextBoolean() ? TAILS : USUAL_TAILS);
    long first = (long) which * SIZES.length + group;
    byte[] bytes = StoreFixture.bytes(-first, SIZES[group]);
    byte[] end = StoreFixture.bytes(-first * TAILS - tail, TAIL_BYTES);
    System.arraycopy(end, 0, bytes, bytes.length - TAIL_BYTES, TAIL_BYTES);
    return new Drawn(-first * TAILS - tail, bytes);
  }
}
