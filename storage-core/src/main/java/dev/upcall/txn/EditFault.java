package dev.upcall.txn;

/** Ways in which edits in the middle are broken on purpose: the simulator must notice each. */
public enum EditFault {
  /** A file has a map before the volume says that it has such files. */
  FEATURE_NOT_SAID,
  /** An edit gives back a block too many. */
  NAMED_BLOCK_DROPPED,
  /** Block numbers behind the last piece are given out again. */
  NUMBER_GIVEN_AGAIN,
  /** The log keeps the map of an edit and not its bytes. */
  HALF_AN_EDIT_LOGGED,
  /** A clone does not count as a user of the tree that has the pieces of its source. */
  MAP_PAGE_NOT_COUNTED,
  /** Write-back that an edit has overtaken puts the map back that it began with. */
  EDIT_LOST_BY_WRITE_BACK,
  /** A range that was copied does not count as a user of the blocks that it shares. */
  SHARED_RANGE_NOT_COUNTED,
  /** Content is stored coded before the volume says that it has such content. */
  CODED_NOT_SAID,
  /** A unit of which an edit takes a part is given back, although the rest is content still. */
  UNIT_FREED_IN_PART,
  /** Two parts of a unit where one was do not count as a user more. */
  SPLIT_NOT_COUNTED,
  /** Content that lies together from now on is put over whatever version there is by then. */
  GATHERED_OVER_AN_EDIT,
  /** Where a range ends is a sum that may be more than a number can say. */
  SUM_OVERFLOWS
}
