package dev.upcall.httpd.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes of whole lines from one thread, which never waits, to one other. */
public final class LogRing {
  private final byte[] bytes;
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong taken = new AtomicLong();

  /** Where what is taken goes. */
  interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  LogRing(int sizeBytes) {
    bytes = new byte[sizeBytes];
  }

  /** Adds a line; false when there is no room for it. The writing thread's. */
  public boolean offer(byte[] line, int length) {
    Objects.requireNonNull(line, "line");
    Objects.checkFromIndexSize(0, length, line.length);
    long at = written.getPlain();
    if (length > bytes.length - (at - taken.getAcquire())) {
      return false;
    }
    int from = (int) (at % bytes.length);
    int first = Math.min(length, bytes.length - from);
    System.arraycopy(line, 0, bytes, from, first);
    System.arraycopy(line, first, bytes, 0, length - first);
    written.setRelease(at + length);
    return true;
  }

  /** Gives all that has come to a sink, and its room back also when that fails. */
  void drain(Sink sink) throws IOException {
    long from = taken.getPlain();
    long to = written.getAcquire();
    try {
      while (from < to) {
        int at = (int) (from % bytes.length);
        int count = (int) Math.min(to - from, bytes.length - at);
        from += count;
        sink.write(ByteBuffer.wrap(bytes, at, count));
      }
    } finally {
      taken.setRelease(to);
    }
  }
}
