package dev.upcall.fileman.blocking;

import dev.upcall.segment.ContentSlice;
import java.nio.ByteBuffer;

/** Copies out of frames, on the caller's thread. */
final class Slices {
  private Slices() {}

  /** Copies as much as fits, gives the frames back and says how much it was. */
  static int moveTo(ByteBuffer into, ContentSlice slice) {
    try {
      int before = into.position();
      for (ByteBuffer from : slice.buffers()) {
        int bytes = Math.min(from.remaining(), into.remaining());
        into.put(into.position(), from, from.position(), bytes);
        into.position(into.position() + bytes);
      }
      return into.position() - before;
    } finally {
      slice.release();
    }
  }
}
