package dev.upcall.bench.securefile;

import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;

/** Ours: a file for each object, in a volume with the memory that peers have for their caches. */
final class UpcallObjects implements ObjectStore {
  private static final long MEMORY_BYTES = 256L << 20;
  private static final int WHOLE_BYTES = 1 << 20;
  private static final int PART_BYTES = 1 << 20;

  private final FsmUpcall store;
  private final PutOptions options;

  UpcallObjects(Path volume, StoreSetting setting) {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(MEMORY_BYTES);
    store =
        Upcall.openOrCreate(
                volume,
                config.withContent(
                    config.limits().content().withGatherBytes(setting.gatherBytes())))
            .fsm();
    options = PutOptions.DEFAULT.withDedup(setting.dedup()).withCompression(setting.compression());
    store.createDirectories("/objects");
  }

  private static String path(String name) {
    return "/objects/" + name;
  }

  @Override
  public void put(String name, byte[] bytes, int length) {
    store.write(path(name), new ByteArrayInputStream(bytes, 0, length), options);
  }

  @Override
  public long read(String name, Sink sink) throws IOException {
    return read(store, name, sink);
  }

  /** All objects as they are now; changes go on. */
  UpcallSnapshot snapshot() {
    return store.snapshot();
  }

  /** Reads a whole object as it is in the store or was in a snapshot. */
  static long read(UpcallReads from, String name, Sink sink) throws IOException {
    try (Upcall.ReadStream stream = from.read(path(name))) {
      long size = stream.info().sizeBytes();
      byte[] part = new byte[(int) Math.min(size, size <= WHOLE_BYTES ? size : PART_BYTES)];
      long read = 0;
      while (read < size) {
        int got = stream.readNBytes(part, 0, part.length);
        if (read == 0) {
          sink.begin(part);
        }
        if (got == 0) {
          throw new IOException(name + " ends early");
        }
        read += got;
      }
      return read;
    }
  }

  @Override
  public String shape() {
    store.checkpoint();
    long[] bytes = {0};
    store.forEach("/objects", file -> bytes[0] += file.stored().bytes());
    return "stored-bytes=" + bytes[0];
  }

  @Override
  public void close() {
    store.close();
  }
}
