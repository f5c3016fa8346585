package dev.upcall.fileman.trees.host;

import dev.upcall.trees.TreeProgress;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what is read into a meter, and asks with each read whether to go on. */
public final class MeteredInput extends FilterInputStream {
  private final TreeProgress meter;
  private final Runnable check;
  private long sizeBytes;

  /**
   * Reads.
   *
   * @param check throws to end it
   */
  public MeteredInput(InputStream in, TreeProgress meter, Runnable check) {
    super(in);
    this.meter = meter;
    this.check = check;
  }

  /** What was read does not count: it will be read again. */
  public void uncount() {
    meter.bytes(-sizeBytes);
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
    check.run();
    sizeBytes += got;
    meter.bytes(got);
  }
}
