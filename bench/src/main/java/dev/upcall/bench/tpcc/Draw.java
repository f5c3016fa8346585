package dev.upcall.bench.tpcc;

import java.util.Random;

/** Random values, as clauses 2.1.6 and 4.3.2 have it. */
final class Draw {
  private static final String[] SYLLABLES = {
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
  };
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final int CONSTANT = 123;

  private Draw() {}

  /** A number of which some are drawn more often: {@code NURand(a, least, most)}. */
  static int number(Random random, int a, int least, int most) {
    int mixed = random.nextInt(a + 1) | (least + random.nextInt(most - least + 1));
    return (mixed + CONSTANT) % (most - least + 1) + least;
  }

  /** The last name of a number from 0 to 999. */
  static String lastName(int number) {
    return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
  }

  /** Letters and digits. */
  static String text(Random random, int least, int most) {
    StringBuilder text = new StringBuilder();
    int length = least + random.nextInt(most - least + 1);
    while (text.length() < length) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }
}
