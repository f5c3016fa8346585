package dev.upcall.bench.peer;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.OperationStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Berkeley DB Java Edition, each put a transaction of its own with {@code Durability.COMMIT_SYNC};
 * threads that commit at once share a sync of its log. An insert is a partial put: it names the
 * place and brings the new bytes alone, and the record grows by them. A cache of the size of our
 * own memory; everything else is its default, the threads that clean its log included.
 */
final class JePeer implements DurableStore {
  private static final long CACHE_BYTES = 256L << 20;

  private final Environment environment;
  private final Database files;

  JePeer(Path directory) throws IOException {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true);
    config.setTransactional(true);
    config.setDurability(Durability.COMMIT_SYNC);
    config.setCacheSize(CACHE_BYTES);
    DatabaseConfig values = new DatabaseConfig();
    values.setAllowCreate(true);
    values.setTransactional(true);
    try {
      environment = new Environment(directory.toFile(), config);
      files = environment.openDatabase(null, "files", values);
    } catch (DatabaseException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void put(String name, byte[] value) throws IOException {
    store(name, new DatabaseEntry(value));
  }

  @Override
  public byte[] get(String name) throws IOException {
    DatabaseEntry value = new DatabaseEntry();
    try {
      OperationStatus status = files.get(null, key(name), value, null);
      return DurableStore.found(name, status == OperationStatus.SUCCESS ? value.getData() : null);
    } catch (DatabaseException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void insert(String name, int offset, byte[] bytes) throws IOException {
    DatabaseEntry inserted = new DatabaseEntry(bytes);
    inserted.setPartial(offset, /* dlen= */ 0, /* partial= */ true);
    store(name, inserted);
  }

  private void store(String name, DatabaseEntry entry) throws IOException {
    try {
      files.put(null, key(name), entry);
    } catch (DatabaseException failed) {
      throw new IOException(failed);
    }
  }

  private static DatabaseEntry key(String name) {
    return new DatabaseEntry(name.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    try {
      files.close();
      environment.close();
    } catch (DatabaseException failed) {
      throw new IOException(failed);
    }
  }
}
