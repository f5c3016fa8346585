package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * H2's MVStore. A commit of it writes everything that has changed, whoever changed it, and is
 * durable after {@code sync}; so one thread commits and syncs for all that wait, which is the best
 * it offers. A cache of the size of our own memory; everything else is its default, the background
 * thread that compacts included.
 */
final class MvStorePeer implements DurableStore {
  private static final int CACHE_MIB = 256;

  private final MVStore store;
  private final MVMap<String, byte[]> files;
  private final GroupCommit commits;

  MvStorePeer(Path directory) {
    store =
        new MVStore.Builder()
            .fileName(directory.resolve("files.mv").toString())
            .cacheSize(CACHE_MIB)
            .open();
    files = store.openMap("files");
    commits =
        new GroupCommit(
            () -> {
              store.commit();
              store.sync();
            });
  }

  @Override
  public void put(String name, byte[] value) {
    // The map keeps the array, and the caller goes on using it.
    files.put(name, value.clone());
    commits.await();
  }

  @Override
  public byte[] get(String name) throws IOException {
    // The map's own array: there is no way to read that costs less.
    return DurableStore.found(name, files.get(name));
  }

  @Override
  public void close() {
    store.close();
  }
}
