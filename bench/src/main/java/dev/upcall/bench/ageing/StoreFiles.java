package dev.upcall.bench.ageing;

import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;

/** In a new store, by callers that wait. */
final class StoreFiles implements AgedFiles {
  private static final double MIB = 1 << 20;

  private final Upcall store;

  StoreFiles(Path volume, UpcallConfig config) {
    store = Upcall.create(volume, config);
  }

  @Override
  public void createDirectory(String name) {
    store.createDirectory("/" + name);
  }

  @Override
  public void put(String name, byte[] content) {
    store.write("/" + name, content);
  }

  @Override
  public void append(String name, byte[] more) {
    try (Upcall.RandomAccess file = store.open("/" + name, OpenMode.EXISTING)) {
      file.append(ByteBuffer.wrap(more));
      file.flush();
    }
  }

  @Override
  public void delete(String name) {
    store.delete("/" + name);
  }

  @Override
  public long sizeBytes(String name) {
    return store.stat("/" + name).sizeBytes();
  }

  @Override
  public String describe() {
    return String.format(Locale.ROOT, "volume-MiB=%.0f", store.info().sizeBytes() / MIB);
  }

  @Override
  public void close() {
    store.close();
  }
}
