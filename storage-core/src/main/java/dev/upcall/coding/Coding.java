package dev.upcall.coding;

/**
 * The codecs of a store, the threads that run them, and what they have done.
 *
 * @param codecs what turns one form into the other
 * @param workers where that is done
 * @param meter counts it
 */
public record Coding(Codecs codecs, Workers workers, CodingMeter meter) {
  /** Nothing done yet. */
  public Coding(Codecs codecs, Workers workers) {
    this(codecs, workers, new CodingMeter());
  }
}
