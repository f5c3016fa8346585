package dev.upcall.coding;

/**
 * What a store codes with.
 *
 * @param codecs what turns one form into the other
 * @param workers where that is done
 */
public record Coding(Codecs codecs, Workers workers) {}
