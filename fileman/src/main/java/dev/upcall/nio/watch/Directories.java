package dev.upcall.nio.watch;

/** The directories of a store, to be watched by their ids. Any thread. */
public interface Directories {
  /**
   * Tells a sink of every change of a directory's entries that is committed after this returned;
   * waits. A sink that is told already stays so, with what is asked for now.
   *
   * @param directory the id; the directory may be renamed meanwhile
   * @param modifications whether changes of what the entries lead to are told, too: that costs
   *     memory for each entry
   * @throws dev.upcall.UpcallException with {@code NotFound} when there is no such directory
   */
  void watch(long directory, boolean modifications, EntrySink sink);

  /** Tells a sink nothing more, soon; does not wait. Harmless where it was told nothing. */
  void forget(long directory, EntrySink sink);
}
