package dev.upcall.txn.state;

import org.jspecify.annotations.Nullable;

/**
 * What was found lately in a tree, by a hash of its key: two places for each hash, of which the
 * newer find has the first.
 *
 * <p>A find says at which SCN it was made, and is right at each later one until its key is changed.
 * It is immutable: so it may be kept and read by any thread that looks at a published state. Of
 * several who keep something at once one may have done so in vain.
 */
final class FoundPlaces<F extends FoundPlaces.Find> {
  private static final int MIX = 0x9E3779B9;

  private final @Nullable Find[] places;
  private final ChangeStamps changes;
  private final int shift;

  /** Something that was found. Immutable. */
  interface Find {
    /** The SCN of the state in which it was found. */
    long scn();
  }

  /**
   * Places for so many finds, or fewer.
   *
   * @param changes of what is looked for
   */
  FoundPlaces(int limit, ChangeStamps changes) {
    int pairs = Integer.highestOneBit(Math.max(4, limit)) / 2;
    this.places = new Find[2 * pairs];
    this.changes = changes;
    this.shift = Integer.numberOfLeadingZeros(pairs) + 1;
  }

  /** The first place of a key with some hash; the other one is behind it. */
  int first(int hash) {
    return (hash * MIX) >>> shift << 1;
  }

  /** What is in a place, if it is right at an SCN, whatever its key; or null. Any thread. */
  @SuppressWarnings("unchecked")
  @Nullable F at(int place, long scn) {
    Find found = places[place];
    return found != null && found.scn() <= scn && changes.isSameSince(place / 2, found.scn())
        ? (F) found
        : null;
  }

  /** Keeps a find, unless there is a newer one. Any thread. */
  void keep(int first, F found) {
    Find before = places[first];
    if (before == null || before.scn() <= found.scn()) {
      places[first + 1] = before;
      places[first] = found;
    }
  }

  /**
   * Puts a find in the place of one that says less of the same key, if that is there. Any thread.
   */
  @SuppressWarnings("ReferenceEquality") // another one of the same key may say something else
  void replace(int first, F before, F found) {
    for (int place = first; place < first + 2; place++) {
      if (places[place] == before) {
        places[place] = found;
      }
    }
  }

  /** A key is changed or removed at an SCN; before that. The owner's thread. */
  void changing(int first, long scn) {
    changes.changed(first / 2, scn);
    places[first] = null; // or what was found before at this SCN would stay
    places[first + 1] = null;
  }
}
