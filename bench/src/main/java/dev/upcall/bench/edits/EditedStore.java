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
import dev.upcall.content.EditPolicy;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** A store and what is put into it to be edited. Used by one thread. */
public final class EditedStore implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 20;

  /** So that 100 MiB are read from the device. */
  private static final long MEMORY_BYTES = 64L << 20;

  private final FsmUpcall store;
  private final Blocks blocks = new Blocks(1);

  private EditedStore(Upcall store) {
    this.store = store.fsm();
  }

  /** A new one. */
  public static EditedStore create(Path volume, long capBytes, DeviceChoice device) {
    return new EditedStore(Upcall.create(volume, config(capBytes, device)));
  }

  /** One that was closed, with nothing of its files in memory. */
  public static EditedStore open(Path volume, long capBytes, DeviceChoice device) {
    return new EditedStore(Upcall.open(volume, config(capBytes, device)));
  }

  private static UpcallConfig config(long capBytes, DeviceChoice device) {
    return device.in(UpcallConfig.DEFAULT.withCapBytes(capBytes).withMemoryBytes(MEMORY_BYTES));
  }

  /** The store itself. */
  public FsmUpcall store() {
    return store;
  }

  /** Opens a file of {@link Blocks} to change it; it is made if it is not there. */
  public Upcall.RandomAccess file(String name, long bytes) {
    if (!store.exists("/" + name)) {
      make(name, bytes);
    }
    return store.open("/" + name, OpenMode.EXISTING);
  }

  /** Has edits of a file copy what a policy wants. */
  public void choose(String name, EditPolicy policy) {
    store.setMetadata("/" + name, LinkPolicy.FOLLOW, MetadataChange.NONE.withEditPolicy(policy));
  }

  /** Makes such a file. */
  public void make(String name, long bytes) {
    byte[] piece = new byte[PIECE_BYTES];
    try (Upcall.PutStream out = store.put("/" + name, PutOptions.DEFAULT)) {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        blocks.fill(at / Blocks.BYTES, ByteBuffer.wrap(piece));
        out.write(piece, 0, (int) Math.min(PIECE_BYTES, bytes - at));
      }
      out.commit();
    }
  }

  /** Reads a file from begin to end, {@value #PIECE_BYTES} bytes at a time; how many times. */
  public int scan(String name) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    int pieces = 0;
    try (Upcall.ReadStream in = store.read("/" + name)) {
      for (long left = in.info().sizeBytes(); left > 0; left -= PIECE_BYTES) {
        int length = (int) Math.min(left, PIECE_BYTES);
        if (in.readNBytes(piece, 0, length) != length) {
          throw new IOException("the file ended early");
        }
        pieces++;
      }
    }
    return pieces;
  }

  /** How many bytes the device was given to write since the store was opened. */
  public long writtenBytes() {
    DiskCounters disk = disk();
    return disk.of(DiskOperation.WRITE).bytes() + disk.of(DiskOperation.DURABLE_WRITE).bytes();
  }

  /** How many bytes were read from the device since the store was opened. */
  long readBytes() {
    return disk().of(DiskOperation.READ).bytes();
  }

  private DiskCounters disk() {
    CompletableFuture<DiskCounters> counted = new CompletableFuture<>();
    store.execute(() -> counted.complete(store.fileManager().store().metrics().disk()));
    return counted.join();
  }

  @Override
  public void close() {
    store.close();
  }
}
