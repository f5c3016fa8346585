package dev.upcall.nio.watch;

/**
 * Hears what becomes of the entries of one directory. Called by whoever applies changes to the
 * store, one at a time, who must not be kept: nothing here waits. {@code scn} is the commit that
 * did it; they come in the order of commits.
 */
public interface EntrySink {
  /** A name leads to something that it did not lead to before; it may have led elsewhere. */
  void created(String name, long scn);

  /** What a name leads to has changed, by content or metadata. */
  void modified(String name, long scn);

  /** A name is gone. */
  void deleted(String name, long scn);

  /** Something was changed that cannot be told. */
  void overflowed(long scn);

  /** The directory is gone, or the store: nothing follows. */
  void gone();
}
