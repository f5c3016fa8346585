package dev.upcall.completion;

/** The value of a request that has nothing to give back but that it was done. */
public enum Unit {
  /** The only value. */
  UNIT;

  /** The one completion of its kind, so that the frequent case allocates nothing. */
  static final Completion<Unit> DONE = new Completion.Done<>(UNIT);
}
