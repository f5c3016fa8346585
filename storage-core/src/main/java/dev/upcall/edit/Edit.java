package dev.upcall.edit;

import dev.upcall.base.Invariants;

/**
 * A change in the middle of an object: an insert, a cut, or both at one place.
 *
 * @param offset where, counted from the beginning of the {@link Neighbourhood}
 * @param removed bytes that go
 * @param inserted bytes that come in their place
 */
public record Edit(long offset, long removed, long inserted) {
  /** Checks that something changes. */
  public Edit {
    Invariants.check(offset >= 0, "before the beginning", offset);
    Invariants.check(
        removed >= 0 && inserted >= 0 && removed + inserted > 0, "no edit", removed, inserted);
  }

  /** The first byte behind those that go. */
  public long end() {
    return offset + removed;
  }
}
