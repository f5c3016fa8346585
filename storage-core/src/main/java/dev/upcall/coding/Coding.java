package dev.upcall.coding;

/**
 * The codecs of a store, and the threads that run them.
 *
 * @param codecs what turns one form into the other
 * @param workers where that is done
 */
public record Coding(Codecs codecs, Workers workers) {}
