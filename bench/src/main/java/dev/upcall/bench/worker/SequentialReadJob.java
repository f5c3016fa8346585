package dev.upcall.bench.worker;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.job.Blocks;
import dev.upcall.bench.job.DeviceChoice;
import dev.upcall.bench.job.Job;
import dev.upcall.bench.job.Tally;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * One large file read from begin to end through the blocking facade; units are MiB, a run is the
 * whole file, which is larger than the store's memory. Options: {@code volume}, {@code file},
 * {@code memory}.
 */
final class SequentialReadJob implements Job.Timed {
  private static final int PIECE_BYTES = 1 << 20;

  private final Upcall store;
  private final String file;
  private final byte[] piece = new byte[PIECE_BYTES];

  SequentialReadJob(Fields options) {
    UpcallConfig config = UpcallConfig.DEFAULT.withMemoryBytes(options.number("memory"));
    store = Upcall.open(Path.of(options.text("volume")), new DeviceChoice(options).in(config));
    file = options.text("file");
  }

  @Override
  public Tally run(long nanos) throws IOException {
    Tally tally = new Tally();
    try (Upcall.ReadStream in = store.read(file)) {
      long pieces = in.info().sizeBytes() / PIECE_BYTES;
      for (long i = 0; i < pieces; i++) {
        long begin = System.nanoTime();
        if (in.readNBytes(piece, 0, PIECE_BYTES) != PIECE_BYTES) {
          throw new IOException("the file ended early");
        }
        Blocks.check(i * (PIECE_BYTES / Blocks.BYTES), ByteBuffer.wrap(piece));
        long now = System.nanoTime();
        tally.add(1, now - begin, now);
      }
    }
    tally.end();
    return tally;
  }

  @Override
  public void close() {
    store.close();
  }
}
