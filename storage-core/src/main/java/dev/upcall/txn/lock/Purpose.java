package dev.upcall.txn.lock;

/** What somebody does who locks things, in his own words; asked only where a message needs them. */
public interface Purpose {
  /** What he does, in a few words with the path. */
  String purpose();

  /** What he calls something that he would change. */
  default String nameOf(LockKey key) {
    return key.toString();
  }
}
