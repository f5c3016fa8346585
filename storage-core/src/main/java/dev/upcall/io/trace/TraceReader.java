package dev.upcall.io.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace file, entry by entry, up to its last whole block: a file that was cut, or damaged
 * from some place on, gives what is before that place, and says so.
 */
public final class TraceReader implements TraceSource {
  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final TraceHeader header;
  private ByteBuffer block = ByteBuffer.allocate(0);
  private int entries;
  private int at;
  private long blocks;
  private long beforeNanos = Long.MIN_VALUE;
  private long gaps;
  private long count;
  private String damage = "";

  private TraceReader(InputStream in, TraceHeader header) {
    this.in = in;
    this.header = header;
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be read, or is no trace
   */
  public static TraceReader open(Path path) throws IOException {
    return of(new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES), path.toString());
  }

  static TraceReader of(InputStream in, String name) throws IOException {
    try {
      return new TraceReader(in, TraceFormat.header(in.readNBytes(TraceFormat.HEADER_BYTES)));
    } catch (TraceFormat.DamagedException damaged) {
      in.close();
      throw new IOException(name + ": " + damaged.getMessage(), damaged);
    }
  }

  /** What it is a trace of. */
  public TraceHeader header() {
    return header;
  }

  @Override
  public @Nullable TraceEntry next() throws IOException {
    if (at == entries && !nextBlock()) {
      return null;
    }
    TraceEntry entry;
    try {
      entry = TraceFormat.entry(block, at, beforeNanos);
    } catch (TraceFormat.DamagedException damaged) {
      end(damaged);
      return null;
    }
    at++;
    count++;
    beforeNanos = entry.timeNanos();
    return entry;
  }

  @Override
  public String place() {
    return "entry " + count;
  }

  @Override
  public String damage() {
    return damage;
  }

  /** How often entries are missing because the writer had no room, as far as it was read. */
  public long gaps() {
    return gaps;
  }

  private boolean nextBlock() throws IOException {
    if (!damage.isEmpty()) {
      return false;
    }
    byte[] bytes = in.readNBytes(TraceFormat.BLOCK_BYTES);
    if (bytes.length == 0) {
      return false;
    }
    try {
      if (bytes.length < TraceFormat.BLOCK_BYTES) {
        throw new TraceFormat.DamagedException("the file is cut");
      }
      block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int found = TraceFormat.checkBlock(block);
      long timeNanos = block.getLong(TraceFormat.TIME_AT);
      if (timeNanos < beforeNanos) {
        throw new TraceFormat.DamagedException("it is older than the one before");
      }
      entries = found;
      at = 0;
      beforeNanos = timeNanos;
      gaps += block.getShort(TraceFormat.FLAGS_AT) == TraceFormat.FLAG_LOST ? 1 : 0;
      blocks++;
      return true;
    } catch (TraceFormat.DamagedException damaged) {
      blocks++;
      end(damaged);
      return false;
    }
  }

  private void end(TraceFormat.DamagedException damaged) {
    long byteAt = TraceFormat.HEADER_BYTES + (blocks - 1) * TraceFormat.BLOCK_BYTES;
    damage = "block " + blocks + ", at byte " + byteAt + ": " + damaged.getMessage();
    at = entries;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
