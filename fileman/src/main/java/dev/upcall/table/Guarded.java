package dev.upcall.table;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * A program's codec of keys or values, with typed failures in the place of what it throws.
 *
 * @param what what it encodes, for the message
 */
record Guarded<T>(Codec<T> codec, StorePath table, String what) implements Codec<T> {
  Guarded {
    Objects.requireNonNull(codec, "codec");
  }

  @Override
  public byte[] encode(T value) {
    Objects.requireNonNull(value, what);
    return run(
        () -> "the codec of %s of %s refuses one".formatted(what, table),
        () -> Objects.requireNonNull(codec.encode(value), "encode"));
  }

  @Override
  public T decode(byte[] bytes) {
    return run(
        () ->
            "the codec of %s of %s refuses the %d bytes of one"
                .formatted(what, table, bytes.length),
        () -> Objects.requireNonNull(codec.decode(bytes), "decode"));
  }

  @Override
  public OptionalInt fixedBytes() {
    return codec.fixedBytes();
  }

  /**
   * Runs code of a program; its exceptions are {@code Invalid}, unless they are typed.
   *
   * @param refusal asked only when one is thrown: this runs for each key and value
   */
  static <R> R run(Supplier<String> refusal, Supplier<R> code) {
    try {
      return code.get();
    } catch (UpcallException typed) {
      throw typed;
    } catch (RuntimeException thrown) {
      UpcallException invalid =
          UpcallException.of(new Failure.Invalid(refusal.get() + ": " + thrown));
      invalid.initCause(thrown);
      throw invalid;
    }
  }
}
