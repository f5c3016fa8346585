package dev.upcall.io;

import dev.upcall.completion.Failure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A read that goes on behind the end of a file that was cut short. What is there is read; the rest
 * is filled with zeros, which have the checksum of nothing but zeros, so that whoever compares
 * finds out block by block what is missing.
 *
 * @param there memory for the blocks before the end; none if there are none
 * @param missing memory for those behind it
 */
record CutRead(List<ByteBuffer> there, List<ByteBuffer> missing) {
  /** What a read becomes, or null if it ends before the file does. */
  static @Nullable CutRead of(DiskRequest.Read read, long sizeBlocks) {
    long insideBytes = Math.max(0, sizeBlocks - read.block()) * Disk.BLOCK_BYTES;
    if (insideBytes >= DiskRules.lengthBytes(read.into())) {
      return null;
    }
    List<ByteBuffer> there = new ArrayList<>();
    List<ByteBuffer> missing = new ArrayList<>();
    for (ByteBuffer buffer : read.into()) {
      int head = (int) Math.min(insideBytes, buffer.remaining());
      int tail = buffer.remaining() - head;
      if (head > 0) {
        there.add(buffer.slice(buffer.position(), head));
      }
      if (tail > 0) {
        missing.add(buffer.slice(buffer.position() + head, tail));
      }
      insideBytes -= head;
    }
    return new CutRead(there, missing);
  }

  /** Fills what is missing. */
  void fill() {
    for (ByteBuffer buffer : missing) {
      for (int at = 0; at < buffer.limit(); at += Long.BYTES) {
        buffer.putLong(at, 0);
      }
    }
  }

  /** Why a read fails of which nothing is there. */
  static Failure failure(DiskRequest.Read read, String volume) {
    return Failure.Corrupt.missing(
        volume,
        "the file ends before what should be there, it was cut short,",
        read.block() * Disk.BLOCK_BYTES);
  }
}
