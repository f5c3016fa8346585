package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.LmdbException;
import org.lmdbjava.Txn;

/**
 * LMDB through lmdbjava with arrays, which are copied out of the map (its buffers without a copy
 * need the JDK opened by a flag), else its defaults: each put a transaction that is synced, one
 * writer at a time, each get a read transaction. It wants its largest size said in advance.
 */
final class LmdbPeer implements DurableStore {
  private static final long MAP_BYTES = 16L << 30;

  private final Env<byte[]> env;
  private final Dbi<byte[]> files;

  LmdbPeer(Path directory) throws IOException {
    try {
      env =
          Env.create(ByteArrayProxy.PROXY_BA)
              .setMapSize(MAP_BYTES)
              .setMaxDbs(1)
              .open(directory.toFile());
      files = env.openDbi("files", DbiFlags.MDB_CREATE);
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void put(String name, byte[] value) throws IOException {
    try {
      files.put(key(name), value);
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public byte[] get(String name) throws IOException {
    try (Txn<byte[]> reading = env.txnRead()) {
      return DurableStore.found(name, files.get(reading, key(name)));
    } catch (LmdbException failed) {
      throw new IOException(failed);
    }
  }

  private static byte[] key(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    env.close();
  }
}
