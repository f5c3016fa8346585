package dev.upcall.table;

import java.util.Objects;

/** Three values as one, as a key for example; see {@link Codecs#triple}. */
public record Triple<A, B, C>(A first, B second, C third) {
  /** Checks that nothing is missing. */
  public Triple {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    Objects.requireNonNull(third, "third");
  }
}
