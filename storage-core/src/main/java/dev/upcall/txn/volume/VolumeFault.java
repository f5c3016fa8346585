package dev.upcall.txn.volume;

/** Ways in which a store treats its volume wrongly on purpose: tests must notice each of them. */
public enum VolumeFault {
  /** A store goes on writing although another one has opened its volume since. */
  EPOCH_NOT_COMPARED,
  /** A changed key slot is written into three copies of the superblock. */
  KEY_LEFT_IN_ONE_COPY
}
