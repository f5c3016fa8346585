package dev.upcall.txn.dedup;

/** Ways in which deduplication is broken on purpose: the simulator must notice each. */
public enum DedupFault {
  /** What has the same hashes is taken for the same, without a look at the bytes. */
  HASH_BELIEVED,
  /** What begins alike and is as large is taken for the same. */
  PREFIX_FOR_WHOLE,
  /** A file is cloned although it is no longer what the content was compared with. */
  CHANGED_MASTER_CLONED
}
