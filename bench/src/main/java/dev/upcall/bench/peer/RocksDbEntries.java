package dev.upcall.bench.peer;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB as {@link RocksDbPeer} sets it, and with a Bloom filter of 10 bits for each key, as its
 * pages recommend where keys are looked up.
 */
final class RocksDbEntries implements EntryStore {
  private static final int RECYCLED_LOGS = 4;
  private static final int FILTER_BITS = 10;

  private final Cache cache;
  private final BloomFilter filter;
  private final Options options;
  private final WriteOptions synced;
  private final WriteOptions loading;
  private final RocksDB db;

  RocksDbEntries(Room room) throws IOException {
    RocksDB.loadLibrary();
    filter = new BloomFilter(FILTER_BITS);
    synced = new WriteOptions().setSync(true);
    loading = new WriteOptions();
    cache = new LRUCache(room.memoryBytes());
    options =
        new Options()
            .setCreateIfMissing(true)
            .setIncreaseParallelism(Runtime.getRuntime().availableProcessors())
            .setRecycleLogFileNum(RECYCLED_LOGS)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setTableFormatConfig(
                new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(filter));
    try {
      db = RocksDB.open(options, room.directory().toString());
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    try {
      db.put(synced, key, value);
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void putAll(List<Entry> entries) throws IOException {
    write(entries, synced);
  }

  @Override
  public void load(List<Entry> entries) throws IOException {
    write(entries, loading);
  }

  private void write(List<Entry> entries, WriteOptions how) throws IOException {
    try (WriteBatch batch = new WriteBatch()) {
      for (Entry entry : entries) {
        batch.put(entry.key(), entry.value());
      }
      db.write(how, batch);
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void sync() throws IOException {
    try {
      db.syncWal();
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws IOException {
    try {
      return db.get(key);
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public int scan(byte[] from, int most, Sink sink) throws IOException {
    try (RocksIterator entries = db.newIterator()) {
      int given = 0;
      for (entries.seek(from); given < most && entries.isValid(); entries.next()) {
        sink.take(entries.key(), entries.value());
        given++;
      }
      entries.status();
      return given;
    } catch (RocksDBException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void close() {
    db.close();
    loading.close();
    synced.close();
    options.close();
    filter.close();
    cache.close();
  }
}
