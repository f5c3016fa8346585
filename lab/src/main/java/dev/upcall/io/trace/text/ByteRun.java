package dev.upcall.io.trace.text;

import dev.upcall.io.Disk;
import dev.upcall.io.trace.TraceEntry;

/** Places of others, in bytes, as whole blocks. */
final class ByteRun {
  private static final long MAX_BYTES = Long.MAX_VALUE / 2;

  private ByteRun() {}

  /** The blocks in which some bytes lie; null where there is no such place. */
  static TraceEntry.Run blocks(long offset, long length, TraceLines lines)
      throws java.io.IOException {
    if (offset > MAX_BYTES || length > MAX_BYTES || length == 0) {
      throw lines.wrong("%d bytes at %d are no place".formatted(length, offset));
    }
    long first = offset / Disk.BLOCK_BYTES;
    long end = (offset + length + Disk.BLOCK_BYTES - 1) / Disk.BLOCK_BYTES;
    return new TraceEntry.Run(first, end - first);
  }
}
