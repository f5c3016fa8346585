package dev.upcall.cli.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/** Counts what is read into a meter, and ends with {@link StoppedException} when asked to. */
final class MeteredInput extends FilterInputStream {
  private final TransferMeter meter;
  private final BooleanSupplier stopped;
  private long sizeBytes;

  MeteredInput(InputStream in, TransferMeter meter, BooleanSupplier stopped) {
    super(in);
    this.meter = meter;
    this.stopped = stopped;
  }

  /** Bytes read so far. */
  long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public int read() throws IOException {
    int next = in.read();
    if (next >= 0) {
      count(1);
    }
    return next;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int got = in.read(into, offset, length);
    if (got > 0) {
      count(got);
    }
    return got;
  }

  private void count(int got) {
    if (stopped.getAsBoolean()) {
      throw new StoppedException();
    }
    sizeBytes += got;
    meter.bytes(got);
  }
}
