package dev.upcall.journal.entry;

import java.util.function.Function;

/**
 * What bytes were: a value, or why they are none. Bytes of a queue come from other processes and
 * from disks that lose power; nothing in them is an error of this program.
 *
 * @param <T> the value's type
 */
public sealed interface Decoded<T> {
  /**
   * The bytes are a value.
   *
   * @param value what they say
   * @param <T> its type
   */
  record Value<T>(T value) implements Decoded<T> {}

  /**
   * The bytes are none.
   *
   * @param reason which rule they break
   * @param message a sentence for a person
   * @param <T> the type of the value that they are not
   */
  record Refused<T>(Reason reason, String message) implements Decoded<T> {
    /** The same as the result of another decoding. */
    @SuppressWarnings("unchecked")
    public <R> Refused<R> cast() {
      return (Refused<R>) this;
    }
  }

  /** Which rule bytes break. */
  enum Reason {
    /** No entry at all: too short, or without the mark that each begins with. */
    NO_ENTRY,
    /** An entry of another version. */
    VERSION,
    /** More bytes than an entry may have. */
    TOO_LARGE,
    /** Another length than it says, or than its part of a request has. */
    LENGTH,
    /** Another checksum than it says. */
    CHECKSUM,
    /** A head that no encoder writes. */
    HEAD,
    /** A body that is no request. */
    REQUEST
  }

  /** What a function makes of the value, or the same refusal. */
  default <R> Decoded<R> flatMap(Function<? super T, Decoded<R>> next) {
    return switch (this) {
      case Value<T>(T value) -> next.apply(value);
      case Refused<T> refused -> refused.cast();
    };
  }
}
