package dev.upcall.bench.peer;

import java.io.IOException;
import java.util.List;
import org.cojen.tupl.Cursor;
import org.cojen.tupl.Database;
import org.cojen.tupl.DatabaseConfig;
import org.cojen.tupl.DurabilityMode;
import org.cojen.tupl.Index;
import org.cojen.tupl.Transaction;
import org.jspecify.annotations.Nullable;

/** TuplDB as {@link TuplPeer} sets it. */
final class TuplEntries implements EntryStore {
  private final Database database;
  private final Index entries;

  TuplEntries(Room room) throws IOException {
    database =
        Database.open(
            new DatabaseConfig()
                .baseFilePath(room.directory().resolve("entries").toString())
                .minCacheSize(room.memoryBytes())
                .maxCacheSize(room.memoryBytes())
                .durabilityMode(DurabilityMode.SYNC));
    entries = database.openIndex("entries");
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    entries.store(null, key, value);
  }

  @Override
  public void putAll(List<Entry> many) throws IOException {
    store(many, DurabilityMode.SYNC);
  }

  @Override
  public void load(List<Entry> many) throws IOException {
    store(many, DurabilityMode.NO_FLUSH);
  }

  private void store(List<Entry> many, DurabilityMode durability) throws IOException {
    Transaction transaction = database.newTransaction(durability);
    try {
      for (Entry entry : many) {
        entries.store(transaction, entry.key(), entry.value());
      }
      transaction.commit();
    } finally {
      transaction.reset();
    }
  }

  @Override
  public void sync() throws IOException {
    database.sync();
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws IOException {
    return entries.load(null, key);
  }

  @Override
  public int scan(byte[] from, int most, Sink sink) throws IOException {
    // As a snapshot of nothing: a transaction that takes no locks, as the others' scans.
    Cursor cursor = entries.newCursor(Transaction.BOGUS);
    try {
      int given = 0;
      for (cursor.findGe(from); given < most && cursor.key() != null; cursor.next()) {
        sink.take(cursor.key(), cursor.value());
        given++;
      }
      return given;
    } finally {
      cursor.reset();
    }
  }

  @Override
  public void close() throws IOException {
    database.shutdown();
  }
}
