package dev.upcall.table;

import java.util.Objects;

/** Two values as one, as a key for example; see {@link Codecs#pair}. */
public record Pair<A, B>(A first, B second) {
  /** Checks that nothing is missing. */
  public Pair {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
  }
}
