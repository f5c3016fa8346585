package dev.upcall.journal.queue;

/**
 * Where an entry is, as one number: in the file of which period, and where its header begins there.
 * So it is found without its neighbours, whatever became of them.
 */
final class EntryPlace {
  /** Enough for files of 512 GiB, and for periods of five minutes until the year 2129. */
  private static final int POSITION_BITS = 39;

  private EntryPlace() {}

  static long index(int cycle, long position) {
    return (long) cycle << POSITION_BITS | position;
  }

  static int cycle(long index) {
    return (int) (index >>> POSITION_BITS);
  }

  static long position(long index) {
    return index & ((1L << POSITION_BITS) - 1);
  }
}
