package dev.upcall.txn.dedup;

/** Ways in which deduplication is broken on purpose: the simulator must notice each. */
public enum DedupFault {
  /** Content with the same hashes is taken for the same, without a look at the bytes. */
  HASH_BELIEVED,
  /** Content that begins alike and is as large is taken for the same. */
  PREFIX_FOR_WHOLE,
  /** A file is cloned although it is no longer what the content was compared with. */
  CHANGED_MASTER_CLONED
}
