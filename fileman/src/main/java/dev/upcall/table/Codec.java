package dev.upcall.table;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * How values of a type are bytes. {@code decode(encode(x))} equals {@code x}. A table sorts keys by
 * their unsigned bytes, so a codec for keys decides the order; those of {@link Codecs} say theirs.
 *
 * <p>Called on the thread that asks, before the store is asked or after it has answered. A codec
 * has no state, because threads use it at once. It refuses a value or bytes that it cannot take by
 * throwing; a table reports that as {@code Invalid}, with the exception as its cause, and has
 * changed nothing.
 *
 * @param <T> what is encoded
 */
public interface Codec<T> {
  /**
   * The bytes of a value.
   *
   * @return must not be changed; the codec keeps no reference that it changes
   */
  byte[] encode(T value);

  /**
   * The value of bytes that {@link #encode} made.
   *
   * @param bytes the callee's own
   */
  T decode(byte[] bytes);

  /** How many bytes each encoding has, if all have the same number; pairs need no escape then. */
  default OptionalInt fixedBytes() {
    return OptionalInt.empty();
  }

  /**
   * A codec for another type that a function makes of this one's, such as a record of a pair. The
   * bytes, and with them the order, stay as they are.
   */
  default <U> Codec<U> map(
      Function<? super T, ? extends U> decoded, Function<? super U, ? extends T> encoded) {
    Objects.requireNonNull(decoded, "decoded");
    Objects.requireNonNull(encoded, "encoded");
    Codec<T> inner = this;
    return new Codec<>() {
      @Override
      public byte[] encode(U value) {
        return inner.encode(encoded.apply(Objects.requireNonNull(value, "value")));
      }

      @Override
      public U decode(byte[] bytes) {
        return decoded.apply(inner.decode(bytes));
      }

      @Override
      public OptionalInt fixedBytes() {
        return inner.fixedBytes();
      }
    };
  }
}
