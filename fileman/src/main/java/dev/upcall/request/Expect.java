package dev.upcall.request;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.util.Objects;

/**
 * The value that a request expects under a key of a table before it changes it. It is part of the
 * request and is looked at in the very upcall that applies it, so nobody can come in between; when
 * it does not hold, nothing of the whole batch is done. Earlier requests of the same batch count.
 */
public sealed interface Expect {
  /** Any value, or none. */
  Expect ANY = new Any();

  /** Nothing: {@code AlreadyExists} otherwise. */
  Expect ABSENT = new Absent();

  /** Any value: {@code NotFound} otherwise. */
  Expect PRESENT = new Present();

  /**
   * A value that must be there: at most {@link TableRequest#MAX_VALUE_BYTES}, since larger ones are
   * content, which is not compared; {@code TooLarge} otherwise.
   */
  static Expect value(byte[] value) {
    return new Value(value);
  }

  /** See {@link #ANY}. */
  record Any() implements Expect {}

  /** See {@link #ABSENT}. */
  record Absent() implements Expect {}

  /** See {@link #PRESENT}. */
  record Present() implements Expect {}

  /**
   * This value: {@code VersionMismatch} otherwise.
   *
   * @param value must not be changed
   */
  @SuppressWarnings(
      "ArrayRecordComponent") // compared by what looks at the entry, and by nobody else
  record Value(byte[] value) implements Expect {
    /** Checks the value. */
    public Value {
      Objects.requireNonNull(value, "value");
      if (value.length > TableRequest.MAX_VALUE_BYTES) {
        throw UpcallException.of(
            new Failure.TooLarge(
                "an expected value (larger ones are not compared)",
                value.length,
                TableRequest.MAX_VALUE_BYTES));
      }
    }
  }
}
