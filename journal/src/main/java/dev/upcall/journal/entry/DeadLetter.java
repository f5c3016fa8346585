package dev.upcall.journal.entry;

/**
 * A request that failed for good. Behind it stand, unchanged, the entries of the request that are
 * kept.
 *
 * @param origin of the request; generation and incarnation are zeros where none of its entries is
 *     there any more
 * @param index of the request's last entry; negative where that is not known
 * @param failure what its producer was told
 * @param parts entries that the request has
 * @param kept how many of them are kept, from the first on: all, or the first, or none
 */
public record DeadLetter(Origin origin, long index, Reply.Failed failure, int parts, int kept) {
  /** Of requests with more entries, 16 MiB, only the first is kept. */
  public static final int MAX_KEPT = 64;

  /** Checks that it is one. */
  public DeadLetter {
    boolean mayBe = parts >= 1 && parts <= Entry.MAX_PARTS && (kept == 0 || kept == keptOf(parts));
    if (!mayBe) {
      throw new IllegalArgumentException("%d of %d entries kept".formatted(kept, parts));
    }
  }

  /** How many entries are kept of a request with so many. */
  public static int keptOf(int parts) {
    return parts <= MAX_KEPT ? parts : 1;
  }

  /** Whether the whole request is kept, so that it can be put in again. */
  public boolean isWhole() {
    return kept == parts;
  }
}
