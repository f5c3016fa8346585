package dev.upcall.codec.zstd;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Text of made-up words, some of which come often. */
final class SampleText {
  private static final int WORDS = 2000;

  private SampleText() {}

  /** So many bytes, which depend on the seed only. */
  static byte[] bytes(long seed, int length) {
    SplittableRandom random = new SplittableRandom(seed);
    String[] words = new String[WORDS];
    for (int i = 0; i < WORDS; i++) {
      StringBuilder word = new StringBuilder();
      for (int letters = random.nextInt(2, 11); letters > 0; letters--) {
        word.append((char) ('a' + random.nextInt(26)));
      }
      words[i] = word.toString();
    }
    StringBuilder text = new StringBuilder(length + 16);
    while (text.length() < length) {
      double often = random.nextDouble();
      text.append(words[(int) (WORDS * often * often * often)]);
      text.append(random.nextInt(12) == 0 ? '\n' : ' ');
    }
    return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
  }

  /** So many bytes that cannot be compressed. */
  static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }
}
