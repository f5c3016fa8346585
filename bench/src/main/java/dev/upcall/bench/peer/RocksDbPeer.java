package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * RocksDB with synced writes, which it groups by itself. Its defaults, but for: log files are
 * recycled, as its pages on the write-ahead log recommend (a file that does not grow syncs faster),
 * as many background jobs as there are cores, no compression, since values cannot be compressed,
 * and a cache of the size of our own memory.
 */
final class RocksDbPeer implements DurableStore {
  private static final int RECYCLED_LOGS = 4;
  private static final long CACHE_BYTES = 256L << 20;

  private final Cache cache;

  private final Options options;
  private final WriteOptions synced;
  private final RocksDB db;

  /**
   * Opens it, or makes it.
   *
   * @param blobs whether values go to files of their own, as its pages recommend for large ones
   */
  RocksDbPeer(Path directory, boolean blobs) throws IOException {
    RocksDB.loadLibrary();
    cache = new LRUCache(CACHE_BYTES);
    options =
        new Options()
            .setCreateIfMissing(true)
            .setIncreaseParallelism(Runtime.getRuntime().availableProcessors())
            .setRecycleLogFileNum(RECYCLED_LOGS)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setEnableBlobFiles(blobs)
            .setEnableBlobGarbageCollection(blobs)
            .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
    synced = new WriteOptions().setSync(true);
    try {
      db = RocksDB.open(options, directory.toString());
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void put(String name, byte[] value) throws IOException {
    try {
      db.put(synced, name.getBytes(StandardCharsets.UTF_8), value);
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public byte[] get(String name) throws IOException {
    try {
      return DurableStore.found(name, db.get(name.getBytes(StandardCharsets.UTF_8)));
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void close() {
    db.close();
    synced.close();
    options.close();
    cache.close();
  }
}
