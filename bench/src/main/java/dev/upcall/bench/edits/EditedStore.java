package dev.upcall.bench.edits;

import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A new store and what is put into it. Used by one thread. */
final class EditedStore implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 20;

  /** So that 100 MiB are read from the device. */
  private static final long MEMORY_BYTES = 64L << 20;

  private final FsmUpcall store;

  EditedStore(Path volume, long capBytes, DeviceChoice device) {
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(capBytes).withMemoryBytes(MEMORY_BYTES);
    store = Upcall.create(volume, device.in(config)).fsm();
  }

  FsmUpcall store() {
    return store;
  }

  /** Opens a file of {@link Blocks} to change it; it is made if it is not there. */
  Upcall.RandomAccess file(String name, long bytes) {
    if (!store.exists("/" + name)) {
      make(name, bytes);
    }
    return store.open("/" + name, OpenMode.EXISTING);
  }

  /** Has edits of a file copy what a threshold of so many blocks wants. */
  void choose(String name, int threshold) {
    store.setMetadata(
        "/" + name, LinkPolicy.FOLLOW, MetadataChange.NONE.withEditThreshold(threshold));
  }

  /** Makes such a file. */
  void make(String name, long bytes) {
    Blocks blocks = new Blocks(1);
    byte[] piece = new byte[PIECE_BYTES];
    try (Upcall.PutStream out = store.put("/" + name, PutOptions.DEFAULT)) {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        blocks.fill(at / Blocks.BYTES, ByteBuffer.wrap(piece));
        out.write(piece, 0, (int) Math.min(PIECE_BYTES, bytes - at));
      }
      out.commit();
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
