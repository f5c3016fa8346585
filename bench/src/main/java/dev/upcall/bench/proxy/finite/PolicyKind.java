package dev.upcall.bench.proxy.finite;

import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.buffer.replacement.S3FifoPolicy;
import dev.upcall.buffer.replacement.SievePolicy;

/** The policies that are compared. */
public sealed interface PolicyKind {
  /** Its name on the page. */
  String label();

  /** Least recently used. */
  PolicyKind LRU = new Simple("LRU");

  /** The store's S3-FIFO. */
  PolicyKind S3_FIFO = new Simple("S3-FIFO");

  /** The store's SIEVE. */
  PolicyKind SIEVE = new Simple("SIEVE");

  /** As the paper has it. */
  PolicyKind FBC = new Cyclic(3, 100, /* isShared= */ false);

  /** Knows the whole trace in advance. */
  PolicyKind FUTURE = new Simple("future-looking");

  /** One without parameters. */
  record Simple(String label) implements PolicyKind {}

  /**
   * Frequency-based cyclic.
   *
   * @param most Cmax
   * @param mostMean Amax
   * @param isShared whether all classes share one pointer
   */
  record Cyclic(int most, int mostMean, boolean isShared) implements PolicyKind {
    @Override
    public String label() {
      String pointers = isShared ? ", one pointer" : "";
      return "FBC, Cmax %d, Amax %d%s".formatted(most, mostMean, pointers);
    }
  }

  /** A policy for each class. */
  private static Replacement simple(Simple kind, int slots) {
    if (kind.equals(LRU)) {
      return new LruReplacement(slots);
    }
    return new StoreReplacement(
        kind.equals(SIEVE) ? new SievePolicy(slots) : new S3FifoPolicy(slots));
  }

  /**
   * Makes one for each class.
   *
   * @param slots of each class
   * @param most how many slots each class may get
   */
  static Replacement[] make(PolicyKind kind, Slots[] slots, int[] most) {
    Replacement[] made = new Replacement[Segments.CLASSES];
    switch (kind) {
      case Simple simple -> {
        for (int i = 0; i < made.length; i++) {
          made[i] = simple(simple, most[i]);
        }
      }
      case Cyclic cyclic -> {
        CyclicReplacement.Counts counts =
            new CyclicReplacement.Counts(cyclic.most(), cyclic.mostMean());
        CyclicReplacement.Pointer shared = new CyclicReplacement.Pointer();
        for (int i = 0; i < made.length; i++) {
          made[i] =
              new CyclicReplacement(
                  counts,
                  slots[i]::offset,
                  cyclic.isShared() ? shared : new CyclicReplacement.Pointer());
        }
      }
    }
    return made;
  }
}
