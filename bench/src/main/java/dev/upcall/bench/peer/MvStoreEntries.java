package dev.upcall.bench.peer;

import java.util.List;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.type.ByteArrayDataType;
import org.jspecify.annotations.Nullable;

/**
 * H2's MVStore as {@link MvStorePeer} sets it, with keys as bytes. It commits all that has changed,
 * so many puts are one commit because nobody else commits meanwhile.
 */
final class MvStoreEntries implements EntryStore {
  private static final int MIB = 1 << 20;

  private final MVStore store;
  private final MVMap<byte[], byte[]> entries;
  private final GroupCommit commits;

  MvStoreEntries(Room room) {
    store =
        new MVStore.Builder()
            .fileName(room.directory().resolve("entries.mv").toString())
            .cacheSize((int) (room.memoryBytes() / MIB))
            .open();
    entries =
        store.openMap(
            "entries",
            new MVMap.Builder<byte[], byte[]>()
                .keyType(ByteArrayDataType.INSTANCE)
                .valueType(ByteArrayDataType.INSTANCE));
    commits =
        new GroupCommit(
            () -> {
              store.commit();
              store.sync();
            });
  }

  @Override
  public void put(byte[] key, byte[] value) {
    entries.put(key, value);
    commits.await();
  }

  @Override
  public void putAll(List<Entry> many) {
    enter(many);
    commits.await();
  }

  /** Commits each time: what its own thread has yet to write may be more than the heap. */
  @Override
  public void load(List<Entry> many) {
    enter(many);
    store.commit();
  }

  private void enter(List<Entry> many) {
    for (Entry entry : many) {
      entries.put(entry.key(), entry.value());
    }
  }

  @Override
  public void sync() {
    commits.await();
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return entries.get(key);
  }

  @Override
  public int scan(byte[] from, int most, Sink sink) {
    Cursor<byte[], byte[]> cursor = entries.cursor(from);
    int given = 0;
    while (given < most && cursor.hasNext()) {
      sink.take(cursor.next(), cursor.getValue());
      given++;
    }
    return given;
  }

  @Override
  public void close() {
    store.close();
  }
}
