package dev.upcall.space;

import java.util.Arrays;

/** A growing set of bits with operations on ranges, a word at a time. */
final class Bits {
  private long[] words;

  Bits(long size) {
    words = new long[wordsFor(size)];
  }

  private static int wordsFor(long size) {
    return Math.toIntExact((size + 63) >>> 6);
  }

  void resize(long size) {
    words = Arrays.copyOf(words, wordsFor(size));
  }

  /** How many bits there are. */
  long size() {
    return 64L * words.length;
  }

  /** Some words, as a copy; zeros behind the end. */
  long[] copy(long index, int count) {
    long[] copy = new long[count];
    for (int i = 0; i < count; i++) {
      copy[i] = word(index + i);
    }
    return copy;
  }

  /** Sets all bits that are set in the given words; those behind the end must be zero. */
  void setAll(long index, long[] set) {
    for (int i = 0; i < set.length; i++) {
      if (set[i] != 0) {
        words[(int) index + i] |= set[i];
      }
    }
  }

  long word(long index) {
    return index < words.length ? words[(int) index] : 0;
  }

  void setWord(long index, long value) {
    words[(int) index] = value;
  }

  void set(long from, long to) {
    int first = (int) (from >>> 6);
    int last = (int) (to - 1 >>> 6);
    long head = -1L << from;
    long tail = -1L >>> -to;
    if (first == last) {
      words[first] |= head & tail;
      return;
    }
    words[first] |= head;
    Arrays.fill(words, first + 1, last, -1L);
    words[last] |= tail;
  }

  void clear(long from, long to) {
    int first = (int) (from >>> 6);
    int last = (int) (to - 1 >>> 6);
    long head = -1L << from;
    long tail = -1L >>> -to;
    if (first == last) {
      words[first] &= ~(head & tail);
      return;
    }
    words[first] &= ~head;
    Arrays.fill(words, first + 1, last, 0);
    words[last] &= ~tail;
  }

  boolean all(long from, long to) {
    return next(from, to, false) == to;
  }

  boolean none(long from, long to) {
    return next(from, to, true) == to;
  }

  /** The first bit of that value in a range, or the range's end. */
  long next(long from, long to, boolean value) {
    long at = from;
    while (at < to) {
      long word = words[(int) (at >>> 6)];
      long rest = (value ? word : ~word) >>> at;
      if (rest != 0) {
        return Math.min(to, at + Long.numberOfTrailingZeros(rest));
      }
      at = (at | 63) + 1;
    }
    return to;
  }
}
