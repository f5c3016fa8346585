package dev.upcall.table;

import dev.upcall.UpcallException;
import dev.upcall.content.Texts;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Codecs for keys and values. The bytes of each have the order of the values, as it says. Bytes
 * that no value has are refused with {@link IllegalArgumentException}, or {@code Invalid} where
 * they are no text.
 *
 * <pre>{@code
 * PairCodec<String, Instant> byCustomer = Codecs.pair(Codecs.STRING, Codecs.INSTANT);
 * Codec<LocalDate> days = Codecs.LONG.map(LocalDate::ofEpochDay, LocalDate::toEpochDay);
 * }</pre>
 */
public final class Codecs {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  /** Whole numbers in ascending order, 4 bytes. */
  public static final Codec<Integer> INT =
      fixed(
          Integer.BYTES,
          (into, value) -> into.putInt(value ^ Integer.MIN_VALUE),
          bytes -> bytes.getInt() ^ Integer.MIN_VALUE);

  /** Whole numbers in ascending order, 8 bytes. */
  public static final Codec<Long> LONG =
      fixed(
          Long.BYTES,
          (into, value) -> into.putLong(value ^ Long.MIN_VALUE),
          bytes -> bytes.getLong() ^ Long.MIN_VALUE);

  /**
   * Numbers in the order of {@link Double#compare}: -0.0 below 0.0, NaN above all; 8 bytes. All NaN
   * are one.
   */
  public static final Codec<Double> DOUBLE =
      LONG.map(
          bits -> Double.longBitsToDouble(turned(bits)),
          value -> turned(Double.doubleToLongBits(value)));

  /** {@code false} before {@code true}, 1 byte. */
  public static final Codec<Boolean> BOOLEAN =
      fixed(1, (into, value) -> into.put((byte) (value ? 1 : 0)), Codecs::truth);

  /** Moments in ascending order, 12 bytes. */
  public static final Codec<Instant> INSTANT =
      pair(LONG, INT)
          .map(
              pair -> moment(pair.first(), pair.second()),
              moment -> new Pair<>(moment.getEpochSecond(), moment.getNano()));

  /** Bytes in unsigned order, as they are; the array is not copied. */
  public static final Codec<byte[]> BYTES = of(bytes -> bytes, bytes -> bytes);

  /**
   * Texts in UTF-8, in the order of code points. That is the order of {@link String#compareTo}, but
   * for characters beyond U+FFFF, which come behind all others. A text with an unpaired surrogate
   * is refused.
   */
  public static final Codec<String> STRING =
      of(
          text -> UpcallException.value(Texts.encode("a table", text)),
          bytes -> UpcallException.value(Texts.decode("an entry", bytes)));

  private Codecs() {}

  /** A codec of two functions; see {@link Codec} for what they must keep. */
  public static <T> Codec<T> of(
      Function<? super T, byte[]> encode, Function<byte[], ? extends T> decode) {
    Objects.requireNonNull(encode, "encode");
    Objects.requireNonNull(decode, "decode");
    return new Codec<>() {
      @Override
      public byte[] encode(T value) {
        return encode.apply(Objects.requireNonNull(value, "value"));
      }

      @Override
      public T decode(byte[] bytes) {
        return decode.apply(Objects.requireNonNull(bytes, "bytes"));
      }
    };
  }

  /**
   * Constants of an enum by name, in the order of the names: so constants may be moved and added,
   * and must not be renamed.
   */
  public static <E extends Enum<E>> Codec<E> enums(Class<E> type) {
    Objects.requireNonNull(type, "type");
    return STRING.map(name -> Enum.valueOf(type, name), Enum::name);
  }

  /**
   * Pairs, in the order of the first component, then of the second. A component of variable length
   * costs two bytes more, and one for each 0x00 in it, unless it is the last.
   */
  public static <A, B> PairCodec<A, B> pair(Codec<A> first, Codec<B> second) {
    return new PairCodec<>(first, second);
  }

  /** As {@link #pair}, with three components. */
  public static <A, B, C> TripleCodec<A, B, C> triple(
      Codec<A> first, Codec<B> second, Codec<C> third) {
    return new TripleCodec<>(first, second, third);
  }

  /** The same values in the opposite order. */
  public static <T> Codec<T> reversed(Codec<T> codec) {
    Objects.requireNonNull(codec, "codec");
    return new Codec<>() {
      @Override
      public byte[] encode(T value) {
        return inverted(Components.delimited(codec, value));
      }

      @Override
      public T decode(byte[] bytes) {
        Components components = new Components(inverted(bytes));
        T value = components.next(codec);
        components.end();
        return value;
      }

      @Override
      public OptionalInt fixedBytes() {
        return codec.fixedBytes();
      }
    };
  }

  /** Makes bits of a double ascend with it, and back. */
  private static long turned(long bits) {
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }

  private static boolean truth(ByteBuffer bytes) {
    return switch (bytes.get()) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private static Instant moment(long seconds, int nanos) {
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw new IllegalArgumentException("no nanoseconds of a second: " + nanos);
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  private static byte[] inverted(byte[] bytes) {
    byte[] inverted = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      inverted[i] = (byte) ~bytes[i];
    }
    return inverted;
  }

  /** Puts a value into its bytes. */
  private interface Putting<T> {
    void put(ByteBuffer into, T value);
  }

  private static <T> Codec<T> fixed(
      int sizeBytes, Putting<T> putting, Function<ByteBuffer, T> getting) {
    return new Codec<>() {
      @Override
      public byte[] encode(T value) {
        byte[] bytes = new byte[sizeBytes];
        putting.put(ByteBuffer.wrap(bytes), Objects.requireNonNull(value, "value"));
        return bytes;
      }

      @Override
      public T decode(byte[] bytes) {
        if (Objects.requireNonNull(bytes, "bytes").length != sizeBytes) {
          throw new IllegalArgumentException(
              "%d bytes where there are %d".formatted(bytes.length, sizeBytes));
        }
        return getting.apply(ByteBuffer.wrap(bytes));
      }

      @Override
      public OptionalInt fixedBytes() {
        return OptionalInt.of(sizeBytes);
      }
    };
  }
}
