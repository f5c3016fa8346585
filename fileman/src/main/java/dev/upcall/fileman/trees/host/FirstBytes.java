package dev.upcall.fileman.trees.host;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream, and no more. */
public final class FirstBytes extends FilterInputStream {
  private long left;

  public FirstBytes(InputStream in, long sizeBytes) {
    super(in);
    this.left = sizeBytes;
  }

  @Override
  public int read() throws IOException {
    int next = left == 0 ? -1 : in.read();
    left -= next < 0 ? 0 : 1;
    return next;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left == 0 && length > 0) {
      return -1;
    }
    int got = in.read(into, offset, (int) Math.min(length, left));
    left -= Math.max(0, got);
    return got;
  }
}
