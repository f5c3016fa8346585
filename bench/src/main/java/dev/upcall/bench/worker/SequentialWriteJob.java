package dev.upcall.bench.worker;

import dev.upcall.bench.harness.Fields;
import dev.upcall.fileman.PutOptions;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * One large file written from begin to end through the blocking facade and committed; units are
 * MiB, a run is the whole file. Options: {@code volume} (made), {@code bytes}, {@code cap}.
 */
final class SequentialWriteJob implements Worker.Job {
  private static final int PIECE_BYTES = 1 << 20;

  private final Upcall store;
  private final long bytes;
  private final byte[] piece = new byte[PIECE_BYTES];

  SequentialWriteJob(Fields options) {
    UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(options.number("cap"));
    store = Upcall.create(Path.of(options.text("volume")), config);
    bytes = options.number("bytes");
    new Blocks(1).fill(0, ByteBuffer.wrap(piece));
  }

  @Override
  public Tally run(long nanos) {
    Tally tally = new Tally();
    try (Upcall.PutStream out = store.put("/large.bin", PutOptions.DEFAULT)) {
      for (long at = 0; at < bytes; at += PIECE_BYTES) {
        long begin = System.nanoTime();
        out.write(piece, 0, PIECE_BYTES);
        tally.add(1, System.nanoTime() - begin);
      }
      out.commit();
    }
    tally.end();
    return tally;
  }

  @Override
  public void close() {
    store.close();
  }
}
