package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.cojen.tupl.Database;
import org.cojen.tupl.DatabaseConfig;
import org.cojen.tupl.DurabilityMode;
import org.cojen.tupl.Index;

/**
 * TuplDB, each put a transaction of its own with {@code DurabilityMode.SYNC}; threads that commit
 * at once share a sync of its redo log. A fixed cache, as it recommends, of the size of our own
 * memory; everything else is its default.
 */
final class TuplPeer implements DurableStore {
  private static final long CACHE_BYTES = 256L << 20;

  private final Database database;
  private final Index files;

  TuplPeer(Path directory) throws IOException {
    database =
        Database.open(
            new DatabaseConfig()
                .baseFilePath(directory.resolve("files").toString())
                .minCacheSize(CACHE_BYTES)
                .maxCacheSize(CACHE_BYTES)
                .durabilityMode(DurabilityMode.SYNC));
    files = database.openIndex("files");
  }

  @Override
  public void put(String name, byte[] value) throws IOException {
    files.store(null, name.getBytes(StandardCharsets.UTF_8), value);
  }

  @Override
  public byte[] get(String name) throws IOException {
    return DurableStore.found(name, files.load(null, name.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void close() throws IOException {
    database.shutdown();
  }
}
