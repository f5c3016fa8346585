package dev.upcall.house;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Gives a decoder damaged and random bytes, from a seed. A decoder may refuse with {@code
 * IllegalArgumentException}; any other exception, and memory out of proportion to what it was
 * given, is a fault of the decoder.
 */
public final class Mutator {
  /** An exception with its stack, and what a decoder needs for a few KiB. */
  private static final long MAX_ALLOCATED_BYTES = 1 << 18;

  private final com.sun.management.ThreadMXBean threads =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Random random;
  private final int maxBytes;
  private final List<byte[]> seeds;
  private int accepted;
  private int refused;

  /**
   * Damage of these structures, and random bytes.
   *
   * @param maxBytes the longest input
   * @param seeds what a decoder accepts
   */
  public Mutator(long seed, int maxBytes, List<byte[]> seeds) {
    this.random = new Random(seed);
    this.maxBytes = maxBytes;
    this.seeds = seeds;
  }

  /** Runs a decoder on so many inputs; a failure names the input. */
  public void run(int inputs, Consumer<byte[]> decoder) {
    for (int i = 0; i < inputs; i++) {
      byte[] input = next();
      long before = threads.getCurrentThreadAllocatedBytes();
      try {
        decoder.accept(input);
        accepted++;
      } catch (IllegalArgumentException expected) {
        refused++;
      } catch (RuntimeException | AssertionError wrong) {
        throw new AssertionError("input " + i + ": " + Arrays.toString(input), wrong);
      }
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      if (i > 100 && allocated > MAX_ALLOCATED_BYTES) {
        throw new AssertionError(
            "input %d made %d bytes: %s".formatted(i, allocated, Arrays.toString(input)));
      }
    }
  }

  /** Inputs that were taken. */
  public int accepted() {
    return accepted;
  }

  /** Inputs that were refused. */
  public int refused() {
    return refused;
  }

  private byte[] next() {
    if (random.nextInt(8) == 0) {
      byte[] noise = new byte[random.nextInt(maxBytes)];
      random.nextBytes(noise);
      return noise;
    }
    byte[] damaged = seeds.get(random.nextInt(seeds.size())).clone();
    for (int n = random.nextInt(3) + 1; n > 0; n--) {
      damaged = damage(damaged);
    }
    return damaged;
  }

  private byte[] damage(byte[] bytes) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt()};
    }
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] = (byte) random.nextInt();
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 2), (byte) 0xFF);
      case 3 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) 0);
      case 4 -> {
        return Arrays.copyOf(bytes, at);
      }
      default -> {
        return Arrays.copyOf(bytes, Math.min(maxBytes, bytes.length + random.nextInt(16)));
      }
    }
    return bytes;
  }
}
