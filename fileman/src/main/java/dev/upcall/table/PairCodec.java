package dev.upcall.table;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * Pairs in the order of the first component, then of the second; see {@link Codecs#pair}.
 *
 * @param <A> the first component
 * @param <B> the second
 */
public final class PairCodec<A, B> implements Codec<Pair<A, B>> {
  private final Codec<A> first;
  private final Codec<B> second;

  PairCodec(Codec<A> first, Codec<B> second) {
    this.first = Objects.requireNonNull(first, "first");
    this.second = Objects.requireNonNull(second, "second");
  }

  /** The bytes with which all pairs begin that have this first component, and no others. */
  public byte[] prefix(A value) {
    return Components.delimited(first, Objects.requireNonNull(value, "value"));
  }

  @Override
  public byte[] encode(Pair<A, B> value) {
    Objects.requireNonNull(value, "value");
    return Components.joined(prefix(value.first()), second.encode(value.second()));
  }

  @Override
  public Pair<A, B> decode(byte[] bytes) {
    Components components = new Components(Objects.requireNonNull(bytes, "bytes"));
    return new Pair<>(components.next(first), components.last(second));
  }

  @Override
  public OptionalInt fixedBytes() {
    return Components.sum(first, second);
  }
}
