package dev.upcall.bench.harness;

/** What an entrant is in a comparison. */
public enum Role {
  /** The product. */
  OURS,
  /** Who it is compared with: the first peer of a comparison is 1. */
  PEER,
  /** What the product could reach at best, part of its work left out. */
  CEILING
}
