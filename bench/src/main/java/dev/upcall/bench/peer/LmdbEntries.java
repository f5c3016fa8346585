package dev.upcall.bench.peer;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.CursorIterable;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.KeyRange;
import org.lmdbjava.LmdbException;
import org.lmdbjava.Txn;

/** LMDB as {@link LmdbPeer} sets it; its memory is the kernel's page cache. */
final class LmdbEntries implements EntryStore {
  private static final long MAP_BYTES = 64L << 30;

  private final Env<byte[]> env;
  private final Dbi<byte[]> entries;

  LmdbEntries(Room room) throws IOException {
    try {
      env =
          Env.create(ByteArrayProxy.PROXY_BA)
              .setMapSize(MAP_BYTES)
              .setMaxDbs(1)
              .open(room.directory().toFile());
      entries = env.openDbi("entries", DbiFlags.MDB_CREATE);
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    try {
      entries.put(key, value);
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void putAll(List<Entry> many) throws IOException {
    try (Txn<byte[]> writing = env.txnWrite()) {
      for (Entry entry : many) {
        entries.put(writing, entry.key(), entry.value());
      }
      writing.commit();
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws IOException {
    try (Txn<byte[]> reading = env.txnRead()) {
      return entries.get(reading, key);
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public int scan(byte[] from, int most, Sink sink) throws IOException {
    try (Txn<byte[]> reading = env.txnRead();
        CursorIterable<byte[]> cursor = entries.iterate(reading, KeyRange.atLeast(from))) {
      int given = 0;
      for (CursorIterable.KeyVal<byte[]> entry : cursor) {
        sink.take(entry.key(), entry.val());
        given++;
        if (given == most) {
          break;
        }
      }
      return given;
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void close() {
    env.close();
  }
}
