package dev.upcall.table;

import dev.upcall.request.KeyRange;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which keys of a table or an index are meant, in the order of their bytes. A value; two that have
 * no key in common make an empty one.
 *
 * <pre>{@code
 * Range<String> november = Range.between("2026-11", "2026-12");
 * Range<String> ofOneDay = Range.startingWith("2026-11-22/");
 * }</pre>
 *
 * @param <K> the keys
 */
public final class Range<K> {
  private final Function<Form<K>, KeyRange> encoded;

  private Range(Function<Form<K>, KeyRange> encoded) {
    this.encoded = encoded;
  }

  /** All keys. */
  public static <K> Range<K> all() {
    return new Range<>(form -> KeyRange.ALL);
  }

  /** This key, and those behind it. */
  public static <K> Range<K> from(K key) {
    Objects.requireNonNull(key, "key");
    return new Range<>(form -> KeyRange.from(form.start(key)));
  }

  /** Those behind this key. */
  public static <K> Range<K> above(K key) {
    Objects.requireNonNull(key, "key");
    return new Range<>(
        form -> form.behind(key).map(KeyRange::from).orElse(KeyRange.below(new byte[0])));
  }

  /** Those before this key. */
  public static <K> Range<K> below(K key) {
    Objects.requireNonNull(key, "key");
    return new Range<>(form -> KeyRange.below(form.start(key)));
  }

  /** Those before this key, and the key. */
  public static <K> Range<K> through(K key) {
    Objects.requireNonNull(key, "key");
    return new Range<>(form -> new KeyRange(new byte[0], form.behind(key)));
  }

  /** From one key on, before another. */
  public static <K> Range<K> between(K first, K below) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(below, "below");
    return Range.from(first).and(below(below));
  }

  /** Those whose bytes begin with those of a key; of texts, those that begin with this text. */
  public static <K> Range<K> startingWith(K key) {
    Objects.requireNonNull(key, "key");
    return new Range<>(form -> KeyRange.prefix(form.prefix(form.codec().encode(key))));
  }

  /**
   * Those whose bytes begin with these, such as those of {@link PairCodec#prefix}.
   *
   * @param bytes are copied
   */
  public static <K> Range<K> prefix(byte[] bytes) {
    byte[] prefix = Objects.requireNonNull(bytes, "bytes").clone();
    return new Range<>(form -> KeyRange.prefix(form.prefix(prefix)));
  }

  /** Those that are in both. */
  public Range<K> and(Range<K> other) {
    Objects.requireNonNull(other, "other");
    return new Range<>(
        form -> {
          KeyRange left = of(form);
          KeyRange right = other.of(form);
          byte[] from =
              Arrays.compareUnsigned(left.from(), right.from()) < 0 ? right.from() : left.from();
          return new KeyRange(from, lower(left.below(), right.below()));
        });
  }

  /** The range of bytes. */
  KeyRange of(Form<K> form) {
    return encoded.apply(form);
  }

  private static Optional<byte[]> lower(Optional<byte[]> left, Optional<byte[]> right) {
    if (left.isEmpty() || right.isEmpty()) {
      return left.or(() -> right);
    }
    return Arrays.compareUnsigned(left.get(), right.get()) < 0 ? left : right;
  }

  /**
   * How keys stand in a table.
   *
   * @param hasMore whether something stands behind each key, as in an index that is not unique
   */
  record Form<K>(Codec<K> codec, boolean hasMore) {
    /** Where a key, or the first that begins with it, stands. */
    byte[] start(K key) {
      return hasMore ? Components.delimited(codec, key) : codec.encode(key);
    }

    /** The first key behind it; empty if nothing can be. */
    Optional<byte[]> behind(K key) {
      byte[] start = start(key);
      return hasMore
          ? KeyRange.prefix(start).below()
          : Optional.of(Arrays.copyOf(start, start.length + 1));
    }

    /** How all begin of which the plain bytes begin with these. */
    byte[] prefix(byte[] plain) {
      return hasMore && codec.fixedBytes().isEmpty() ? Components.begin(plain) : plain;
    }
  }
}
