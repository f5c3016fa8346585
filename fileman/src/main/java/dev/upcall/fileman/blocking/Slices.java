package dev.upcall.fileman.blocking;

import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;

/** Ranges read for callers that wait: copied out of frames, on the caller's thread. */
final class Slices {
  /** The most that one request asks for. */
  static final int MAX_READ_BYTES = 1 << 20;

  private Slices() {}

  /**
   * Whatever a range can be read from: {@code offset}, the most bytes, and where the slice goes.
   */
  interface Source {
    void read(long offset, int maxBytes, CompletionPort<ContentSlice> port);
  }

  /** Reads a range with one request; how many bytes it was, -1 behind the end. */
  static int read(Calls calls, Source source, long offset, ByteBuffer into) {
    if (!into.hasRemaining()) {
      return 0;
    }
    return calls.inside(
        () -> {
          int wanted = Math.min(into.remaining(), MAX_READ_BYTES);
          int count = moveTo(into, calls.await(port -> source.read(offset, wanted, port)));
          return count == 0 ? -1 : count;
        });
  }

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
