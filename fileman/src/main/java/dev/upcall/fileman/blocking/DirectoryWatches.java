package dev.upcall.fileman.blocking;

import dev.upcall.completion.Unit;
import dev.upcall.fileman.watch.WatchedDirectories;
import dev.upcall.fsm.door.EndWatch;
import dev.upcall.nio.watch.Directories;
import dev.upcall.nio.watch.EntrySink;
import dev.upcall.txn.Store;

/** The way of watch services into the store. */
public final class DirectoryWatches implements Directories {
  private final Calls calls;
  private final WatchedDirectories watched;

  /** For the ends of both: should the store die, those who wait for its changes hear of it. */
  @SuppressWarnings("unused")
  private final EndWatch end;

  /**
   * Watches nothing yet.
   *
   * @param store the machines'
   */
  public DirectoryWatches(Calls calls, Store store) {
    this.calls = calls;
    this.watched = new WatchedDirectories(store);
    this.end = new EndWatch(store.dispatcher(), watched::close);
  }

  @Override
  public void watch(long directory, boolean modifications, EntrySink sink) {
    calls.<Unit>call(port -> watched.watch(directory, modifications, sink, port));
  }

  @Override
  public void forget(long directory, EntrySink sink) {
    watched.forgetSoon(directory, sink);
  }

  /** What hears of the store's changes; the dispatcher's. */
  WatchedDirectories watched() {
    return watched;
  }
}
