package dev.upcall.bench.securefile;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * The content of objects, made from their numbers. Each block of 4 KiB of an object begins with its
 * number and its place, so that no two are the same; the rest is a template's. One thread.
 */
final class ObjectContents {
  private static final int BLOCK_BYTES = 4096;
  private static final int STAMP_BYTES = 2 * Long.BYTES;
  private static final int WORDS = 3_000;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ObjectSet set;
  private final double duplicates;
  private final byte[] bytes;

  /** The kinds of bytes that a template is made of. */
  enum Kind {
    /** Bytes that cannot be compressed. */
    RANDOM,
    /** Words drawn by Zipf's law. */
    TEXT,
    /** A block of one, then one of the other. */
    MIXED
  }

  /**
   * Makes the template.
   *
   * @param duplicates the part of the objects whose content is that of an earlier one
   */
  ObjectContents(ObjectSet set, Kind kind, double duplicates) {
    this.set = set;
    this.duplicates = duplicates;
    this.bytes = new byte[set.mostBytes()];
    SplittableRandom random = new SplittableRandom(7);
    random.nextBytes(bytes);
    if (kind != Kind.RANDOM) {
      byte[] text = text(random, bytes.length);
      for (int at = 0; at < bytes.length; at += BLOCK_BYTES) {
        if (kind == Kind.TEXT || (at / BLOCK_BYTES & 1) == 0) {
          System.arraycopy(text, at, bytes, at, Math.min(BLOCK_BYTES, bytes.length - at));
        }
      }
    }
  }

  private static byte[] text(SplittableRandom random, int length) {
    byte[][] words = new byte[WORDS][];
    for (int i = 0; i < WORDS; i++) {
      StringBuilder word = new StringBuilder();
      for (int letters = 2 + random.nextInt(8); letters > 0; letters--) {
        word.append((char) ('a' + random.nextInt(random.nextInt(26) + 1)));
      }
      words[i] = word.append(' ').toString().getBytes(StandardCharsets.US_ASCII);
    }
    byte[] text = new byte[length];
    for (int at = 0; at < length; ) {
      byte[] word = words[(int) Math.pow(WORDS, random.nextDouble()) - 1];
      int part = Math.min(word.length, length - at);
      System.arraycopy(word, 0, text, at, part);
      at += part;
    }
    return text;
  }

  /** The object whose content a number has: its own, or an earlier one's. */
  private long original(long object) {
    SplittableRandom drawn = new SplittableRandom(~object);
    return object > 0 && drawn.nextDouble() < duplicates ? drawn.nextLong(object) : object;
  }

  /** The object whose content it has, as far as originals go: that one's own is never another's. */
  long source(long object) {
    long now = object;
    for (long before = original(now); before != now; before = original(now)) {
      now = before;
    }
    return now;
  }

  /** Bytes of those of so many objects whose content no earlier one has. */
  long ownBytes(long count) {
    return LongStream.range(0, count)
        .filter(object -> source(object) == object)
        .map(set::sizeBytes)
        .sum();
  }

  /** The size of an object, in bytes. */
  int sizeBytes(long object) {
    return set.sizeBytes(source(object));
  }

  /** The template with an object's stamps; good until the next call. */
  byte[] of(long object) {
    long source = source(object);
    int size = set.sizeBytes(source);
    for (int at = 0; at + STAMP_BYTES <= size; at += BLOCK_BYTES) {
      LONG.set(bytes, at, source);
      LONG.set(bytes, at + Long.BYTES, (long) at);
    }
    return bytes;
  }

  /**
   * Looks whether the begin of an object is its own.
   *
   * @throws IllegalStateException if it is another's, or another part
   */
  void check(long object, byte[] begin) {
    if ((long) LONG.get(begin, 0) != source(object) || (long) LONG.get(begin, Long.BYTES) != 0) {
      throw new IllegalStateException("object %d has another's content".formatted(object));
    }
  }
}
