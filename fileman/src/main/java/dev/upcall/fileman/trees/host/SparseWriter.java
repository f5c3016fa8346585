package dev.upcall.fileman.trees.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Writes a new file of the host and leaves out blocks of zeros: there it has holes. */
public final class SparseWriter {
  private static final int BLOCK_BYTES = 4096;
  private static final ByteBuffer ZEROS = ByteBuffer.allocate(BLOCK_BYTES).asReadOnlyBuffer();

  private SparseWriter() {}

  /** Writes what remains of a piece from a position on; returns the position behind it. */
  public static long write(FileChannel file, ByteBuffer piece, long from) throws IOException {
    long at = from;
    int limit = piece.limit();
    while (piece.position() < limit) {
      int begin = piece.position();
      int end = begin;
      boolean hole = isHole(piece, begin, limit);
      while (end < limit && isHole(piece, end, limit) == hole) {
        end = Math.min(limit, end + BLOCK_BYTES);
      }
      if (hole) {
        piece.position(end);
      } else {
        piece.limit(end);
        for (long to = at; piece.hasRemaining(); ) {
          to += file.write(piece, to);
        }
        piece.limit(limit);
      }
      at += end - begin;
    }
    return at;
  }

  /** Gives the file its size, which a hole at its end does not. */
  public static void end(FileChannel file, long sizeBytes) throws IOException {
    if (file.size() < sizeBytes) {
      file.write(ByteBuffer.allocate(1), sizeBytes - 1);
    }
  }

  /** Whether a whole block of zeros begins here. */
  private static boolean isHole(ByteBuffer piece, int begin, int limit) {
    return limit - begin >= BLOCK_BYTES && piece.slice(begin, BLOCK_BYTES).equals(ZEROS);
  }
}
