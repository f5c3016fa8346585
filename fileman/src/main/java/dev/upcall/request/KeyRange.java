package dev.upcall.request;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Keys of a table from one on and below another, in the order of unsigned bytes. None if the one is
 * not below the other.
 *
 * @param from the first key, which need not exist; none is below the empty one. Must not be changed
 * @param below what is behind the last key, which need not exist; empty for no such bound. Must not
 *     be changed
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares ranges
public record KeyRange(byte[] from, Optional<byte[]> below) {
  /** The longest bound: what comes right behind the longest key. */
  public static final int MAX_BOUND_BYTES = TableRequest.MAX_KEY_BYTES + 1;

  /** All keys. */
  public static final KeyRange ALL = new KeyRange(new byte[0], Optional.empty());

  /** Checks the bounds. */
  public KeyRange {
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(below, "below");
    check(from);
    below.ifPresent(KeyRange::check);
  }

  /** From one key on, below another. */
  public KeyRange(byte[] from, byte[] below) {
    this(from, Optional.of(Objects.requireNonNull(below, "below")));
  }

  /** From a key on. */
  public static KeyRange from(byte[] key) {
    return new KeyRange(Objects.requireNonNull(key, "key"), Optional.empty());
  }

  /** Below a key. */
  public static KeyRange below(byte[] key) {
    return new KeyRange(new byte[0], Optional.of(Objects.requireNonNull(key, "key")));
  }

  /** All keys that begin with these bytes. */
  public static KeyRange prefix(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return from(bytes.clone());
    }
    byte[] below = Arrays.copyOf(bytes, last + 1);
    below[last]++;
    return new KeyRange(bytes.clone(), Optional.of(below));
  }

  /** The part of it behind a key. */
  public KeyRange behind(byte[] key) {
    Objects.requireNonNull(key, "key");
    return new KeyRange(Arrays.copyOf(key, key.length + 1), below);
  }

  /** The part of it before a key. */
  public KeyRange before(byte[] key) {
    return new KeyRange(from, Optional.of(Objects.requireNonNull(key, "key")));
  }

  private static void check(byte[] bound) {
    if (bound.length > MAX_BOUND_BYTES) {
      throw UpcallException.of(
          new Failure.TooLarge("a bound of keys", bound.length, MAX_BOUND_BYTES));
    }
  }
}
