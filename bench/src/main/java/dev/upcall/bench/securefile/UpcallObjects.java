package dev.upcall.bench.securefile;

import dev.upcall.FsmUpcall;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.io.Disk;
import dev.upcall.txn.log.LogCounters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Ours: a file for each object, in a volume with the memory that peers have for their caches. */
final class UpcallObjects implements ObjectStore {
  private static final long MEMORY_BYTES = 256L << 20;
  private static final int WHOLE_BYTES = 1 << 20;
  private static final int PART_BYTES = 1 << 20;
  private static final int PIECE_BYTES = 1 << 16;
  private static final int LOGGED_BYTES = 1 << 15;

  private final FsmUpcall store;
  private final PutOptions options;

  UpcallObjects(Path volume, StoreSetting setting) {
    store = opened(volume, setting).fsm();
    options = PutOptions.DEFAULT.withDedup(setting.dedup()).withCompression(setting.compression());
    store.createDirectories("/objects");
    if (setting.isUsed()) {
      goOnceAroundTheLog();
    }
  }

  private void goOnceAroundTheLog() {
    long blocks = logCounters().capacityBlocks();
    byte[] logged = new byte[LOGGED_BYTES];
    while (logCounters().blocks() < blocks) {
      store.write("/first-lap", logged);
    }
    store.delete("/first-lap");
    store.checkpoint();
  }

  private LogCounters logCounters() {
    CompletableFuture<LogCounters> counters = new CompletableFuture<>();
    store.execute(() -> counters.complete(store.fileManager().store().metrics().log()));
    return counters.join();
  }

  /** The store alone. */
  static Upcall opened(Path volume, StoreSetting setting) {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(MEMORY_BYTES);
    return Upcall.openOrCreate(
        volume,
        config.withContent(config.limits().content().withGatherBytes(setting.gatherBytes())));
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

  /**
   * Reads a whole object by a handle's call for each 64 KiB, of which the store reads none ahead.
   */
  long readPieces(String name, Sink sink) throws IOException {
    try (Upcall.RandomAccess file = store.open(path(name), OpenMode.EXISTING)) {
      long size = file.sizeBytes();
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      for (long at = 0; at < size; at += PIECE_BYTES) {
        int wanted = (int) Math.min(PIECE_BYTES, size - at);
        piece.clear();
        while (piece.position() < wanted) {
          if (file.read(at + piece.position(), piece) < 0) {
            throw new IOException(name + " ends early");
          }
        }
        if (at == 0) {
          sink.begin(piece.array());
        }
      }
      return size;
    }
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
    long logged = logCounters().blocks() * Disk.BLOCK_BYTES;
    store.checkpoint();
    Stretches stretches = new Stretches(store);
    long[] bytes = {0};
    long[] extents = {0};
    store.forEach(
        "/objects",
        file -> {
          bytes[0] += file.stored().bytes();
          extents[0] += stretches.of(file);
        });
    return "stored-bytes=%d log-bytes=%d extents=%d".formatted(bytes[0], logged, extents[0]);
  }

  @Override
  public void close() {
    store.close();
  }
}
