package dev.upcall.bench.ecommerce;

/**
 * What an interaction asks of the pages, one after the other.
 *
 * @param kind what is done
 * @param page the first
 * @param pages how many consecutive ones
 */
public record Step(Kind kind, long page, int pages) {
  /** What is done with pages. */
  public enum Kind {
    /** They are read. */
    READ,
    /** They are read and changed. */
    CHANGE,
    /** They are changed, and nobody needs to know what they held: the end of a table. */
    APPEND
  }

  /** Whether the pages are others afterwards. */
  public boolean changes() {
    return kind != Kind.READ;
  }
}
