package dev.upcall.table;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * Triples in the order of the first component, then of the second, then of the third; see {@link
 * Codecs#triple}.
 *
 * @param <A> the first component
 * @param <B> the second
 * @param <C> the third
 */
public final class TripleCodec<A, B, C> implements Codec<Triple<A, B, C>> {
  private final Codec<A> first;
  private final Codec<B> second;
  private final Codec<C> third;

  TripleCodec(Codec<A> first, Codec<B> second, Codec<C> third) {
    this.first = Objects.requireNonNull(first, "first");
    this.second = Objects.requireNonNull(second, "second");
    this.third = Objects.requireNonNull(third, "third");
  }

  /** The bytes with which all triples begin that have this first component, and no others. */
  public byte[] prefix(A value) {
    return Components.delimited(first, Objects.requireNonNull(value, "value"));
  }

  /** As {@link #prefix(Object)}, of those that have these first two components. */
  public byte[] prefix(A value, B next) {
    Objects.requireNonNull(next, "next");
    return Components.joined(prefix(value), Components.delimited(second, next));
  }

  @Override
  public byte[] encode(Triple<A, B, C> value) {
    Objects.requireNonNull(value, "value");
    return Components.joined(prefix(value.first(), value.second()), third.encode(value.third()));
  }

  @Override
  public Triple<A, B, C> decode(byte[] bytes) {
    Components components = new Components(Objects.requireNonNull(bytes, "bytes"));
    return new Triple<>(components.next(first), components.next(second), components.last(third));
  }

  @Override
  public OptionalInt fixedBytes() {
    return Components.sum(first, second, third);
  }
}
