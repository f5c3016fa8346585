package dev.upcall.store;

/**
 * The tables of a volume, counted by a walk over a checkpoint: every number is exact, as of that
 * checkpoint.
 *
 * @param tables those that have a name, indexes included
 * @param entries of them
 * @param valueBytes sizes of the values of these entries, large ones included
 * @param pages of the tree of all tables, of which inner ones and the root lie on the volume twice;
 *     entries of deleted tables that are being taken apart are in them
 */
public record TableUse(long tables, long entries, long valueBytes, long pages) {
  /** Nothing was counted. */
  public static final TableUse NONE = new TableUse(0, 0, 0, 0);
}
