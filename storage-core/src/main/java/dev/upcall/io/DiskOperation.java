package dev.upcall.io;

import java.util.Locale;

/** The kinds of {@link DiskRequest}, as they are counted and named in messages. */
public enum DiskOperation {
  /** {@link DiskRequest.Read}. */
  READ,
  /** {@link DiskRequest.Write}. */
  WRITE,
  /** {@link DiskRequest.DurableWrite}. */
  DURABLE_WRITE,
  /** {@link DiskRequest.Sync}. */
  SYNC,
  /** {@link DiskRequest.Allocate}. */
  ALLOCATE,
  /** {@link DiskRequest.Discard}. */
  DISCARD,
  /** {@link DiskRequest.Shrink}. */
  SHRINK,
  /** {@link DiskRequest.Stat}. */
  STAT;

  private final String words = name().toLowerCase(Locale.ROOT).replace('_', ' ');

  /** Its name in messages. */
  public String words() {
    return words;
  }

  /** A row in tables of one process; the order of the enum never reaches a disk or a wire. */
  @SuppressWarnings("EnumOrdinal")
  int index() {
    return ordinal();
  }
}
