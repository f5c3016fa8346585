package dev.upcall.bench.worker;

import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import dev.upcall.io.DiskOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * One large file written from begin to end through the blocking facade and committed; units are
 * MiB, a run is the whole file. Options: {@code volume} (made), {@code bytes}, {@code cap}, {@code
 * anew}: 1 writes each into a volume made for it, 0 replaces the file of the run before.
 *
 * <p>Remarks say how much of each MiB was room that the file system gave during the run: what goes
 * there costs it more than what was written before.
 */
final class SequentialWriteJob implements Job.Timed {
  private static final int PIECE_BYTES = 1 << 20;

  private final Path volume;
  private final UpcallConfig config;
  private final DeviceChoice device;
  private final long bytes;
  private final boolean anew;
  private final byte[] piece = new byte[PIECE_BYTES];
  private FsmUpcall store;
  private boolean used;

  SequentialWriteJob(Fields options) {
    volume = Path.of(options.text("volume"));
    device = new DeviceChoice(options);
    config = UpcallConfig.DEFAULT.withCapBytes(options.number("cap"));
    bytes = options.number("bytes");
    anew = options.number("anew") == 1;
    store = Upcall.create(volume, device.in(config)).fsm();
    new Blocks(1).fill(0, ByteBuffer.wrap(piece));
  }

  @Override
  public Tally run(long nanos) throws IOException {
    if (anew && used) {
      store.close();
      Files.delete(volume);
      store = Upcall.create(volume, device.in(config)).fsm();
    }
    used = true;
    long before = roomBytes();
    Tally tally = new Tally();
    try (Upcall.PutStream out = store.put("/large.bin", PutOptions.DEFAULT)) {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        long begin = System.nanoTime();
        out.write(piece, 0, PIECE_BYTES);
        long now = System.nanoTime();
        tally.add(1, now - begin, now);
      }
      out.commit();
    }
    tally.end();
    double share = (double) (roomBytes() - before) / bytes;
    return tally.remark("MiB-of-new-room=%.2f", share);
  }

  /** What the store has been given by the file system since it was opened. */
  private long roomBytes() {
    CompletableFuture<Long> taken = new CompletableFuture<>();
    store.execute(
        () ->
            taken.complete(
                store.fileManager().store().metrics().disk().of(DiskOperation.ALLOCATE).bytes()));
    return taken.join();
  }

  @Override
  public void close() {
    store.close();
  }
}
