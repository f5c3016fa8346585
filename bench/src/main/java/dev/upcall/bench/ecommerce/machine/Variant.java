package dev.upcall.bench.ecommerce.machine;

/** Servers that differ in one thing, which shows what a result comes from. */
public enum Variant {
  /** As described. */
  STANDARD,
  /** InnoDB lets eight in at a time, as it did unless told otherwise. */
  EIGHT_INSIDE,
  /** A page of TPC-W costs the database's processor nothing. */
  FREE_PAGES,
  /** The same, and clients of TPC-W think for seven seconds. */
  THINKING
}
