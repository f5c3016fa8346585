package dev.upcall.txn.state;

/** Ways in which a store is broken on purpose: the simulator must notice each of them. */
public enum StoreFault {
  /** Freed extents are reused before the checkpoint that frees them is durable. */
  REUSE_BEFORE_CHECKPOINT,
  /** What the old checkpoint needs is reused as soon as the new one is frozen. */
  RELEASE_AT_FREEZE,
  /** What readers hold is reused. */
  READERS_FORGOTTEN,
  /** A checkpoint does not write the content that has no place yet. */
  UNPLACED_IMAGE_SKIPPED,
  /** A checkpoint writes chunks of the free-space map as they are when their turn comes. */
  MAP_IMAGE_FOLLOWS_CHANGES,
  /** Write-back names places for durable before the log has synced what lies there. */
  PLACES_TAKEN_FOR_SYNCED,
  /** A checkpoint's superblock lets replay begin too late. */
  REPLAY_POINT_TOO_LATE,
  /** A flush completes before what was acknowledged is durable. */
  FLUSH_TOO_EARLY,
  /** More is acknowledged before it is durable than may be lost. */
  LOSS_UNBOUNDED,
  /** What ranges of a file bring is not counted as content that may be lost. */
  RANGES_NOT_COUNTED,
  /** The allocator may hand out a run while it is being punched. */
  PUNCH_WHILE_ALLOCATABLE,
  /** Freed extents are punched before the checkpoint that frees them is durable. */
  PUNCH_BEFORE_CHECKPOINT,
  /** What a snapshot sees on the volume is reused. */
  SNAPSHOT_NOT_PINNED,
  /** What a snapshot sees of unplaced content is not kept. */
  SNAPSHOT_KEEPS_NOTHING,
  /** A named snapshot is named before what it stands on is durable. */
  SNAPSHOT_BEFORE_CHECKPOINT,
  /** Opening a store does not ask what its named snapshots hold. */
  SNAPSHOTS_FORGOTTEN,
  /** When a named snapshot is dropped, what the others hold is forgotten too. */
  DROP_FORGETS_OTHERS,
  /** What a named snapshot held comes back before its drop is durable. */
  DROP_NOT_AWAITED,
  /** A transaction gives its locks back with each step. */
  LOCK_RELEASED_EARLY,
  /** A transaction does not look whether somebody else has changed what it changes. */
  TRANSACTION_NOT_VALIDATED,
  /** A removal is not remembered as a change. */
  CHANGED_BACK_UNNOTICED,
  /** What is remembered of a name stays when the name is changed or goes. */
  NAMES_NOT_FORGOTTEN,
  /** What is remembered of names and inodes is believed at moments before it was so. */
  REMEMBERED_AT_ANY_MOMENT,
  /** What was found in an older state is believed although it has changed since. */
  CHANGE_NOT_STAMPED,
  /** A transaction sees the store as it is now. */
  TRANSACTION_READS_LIVE,
  /** Other threads find in a transaction what was there before it has changed that. */
  OWN_CHANGES_NOT_PUBLISHED,
  /** A transaction that has written into a file sees nothing else that is unplaced of it. */
  OWN_RANGES_HIDE_THE_REST,
  /** Only the first half of a transaction's changes is applied. */
  HALF_A_TRANSACTION,
  /** The log keeps only the first half of a transaction's changes. */
  HALF_A_TRANSACTION_LOGGED,
  /** Replay leaves the entries of tables out. */
  ENTRIES_NOT_REPLAYED,
  /** The log keeps no entries of a change that changes files, too. */
  ENTRIES_LEFT_OUT,
  /** A snapshot shows the entries of tables as they are now. */
  ENTRIES_OF_ANY_MOMENT,
  /** Changes do not reserve what the next checkpoint will write because of them. */
  NOTHING_PROMISED,
  /** Changes do not wait for changed tree pages to be written; {@code DirtyPagesTest} notices. */
  PAGES_WITHOUT_LIMIT,
  /** What makes room waits for room like everybody else. */
  ROOM_MAKER_WAITS,
  /** Those who wait for space do not hear that a checkpoint has ended. */
  WAITERS_NOT_TOLD,
  /** A clone's blocks are not counted. */
  CLONE_NOT_COUNTED,
  /** Who gives blocks back does not ask who else uses them. */
  FREED_ALTHOUGH_SHARED,
  /** The log does not keep how often blocks are used. */
  COUNT_NOT_LOGGED,
  /** Who asked hears of a change before other threads can see it. */
  TOLD_BEFORE_PUBLISHED,
  /** Other threads copy what is unplaced now, whatever moment they look at. */
  UNPLACED_OF_ANY_MOMENT,
  /** Other threads copy from where a content was found before, although that was let go. */
  LET_GO_UNNOTICED,
  /** Pages that other threads look at are changed in place. */
  EDITION_KEPT,
  /** A query that finds no memory ends the store. */
  FULL_HEAP_IS_FATAL,
  /** A change that finds no memory while it is planned ends the store. */
  CHANGE_WITHOUT_HEAP_IS_FATAL,
  /** Other threads can look into a store that was closed. */
  PUBLISHED_AFTER_CLOSE
}
