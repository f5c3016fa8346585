package dev.upcall.fileman.blocking;

import dev.upcall.completion.Unit;
import dev.upcall.fileman.watch.WatchedDirectories;
import dev.upcall.fsm.door.EndWatch;
import dev.upcall.nio.watch.Directories;
import dev.upcall.nio.watch.EntrySink;
import dev.upcall.txn.Store;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The way of watch services into the store. */
final class DirectoryWatches implements Directories {
  private final Calls calls;
  private final WatchedDirectories watched;
  private final Set<Told> told = ConcurrentHashMap.newKeySet();

  /** For the ends of both: should the store die, those who wait for its changes hear of it. */
  @SuppressWarnings("unused")
  private final EndWatch end;

  /**
   * Watches nothing yet.
   *
   * @param store the machines'
   */
  DirectoryWatches(Calls calls, Store store) {
    this.calls = calls;
    this.watched = new WatchedDirectories(store);
    this.end = new EndWatch(store.dispatcher(), watched::close);
  }

  /** Who watches what. */
  private record Told(long directory, EntrySink sink) {}

  @Override
  public void watch(long directory, boolean modifications, EntrySink sink) {
    boolean isNew = told.add(new Told(directory, sink));
    boolean watches = false;
    try {
      calls.<Unit>call(port -> watched.watch(directory, modifications, sink, port));
      watches = true;
    } finally {
      if (isNew && !watches) {
        told.remove(new Told(directory, sink));
      }
    }
  }

  @Override
  public boolean areWatched() {
    return !told.isEmpty();
  }

  @Override
  public void forget(long directory, EntrySink sink) {
    told.remove(new Told(directory, sink));
    watched.forgetSoon(directory, sink);
  }

  /** What hears of the store's changes; the dispatcher's. */
  WatchedDirectories watched() {
    return watched;
  }
}
