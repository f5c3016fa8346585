package dev.upcall.fileman.blocking;

import dev.upcall.completion.CompletionPort;
import dev.upcall.content.ContentSlice;
import dev.upcall.fileman.reading.SliceCopy;
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
          int count =
              SliceCopy.moveTo(into, calls.await(port -> source.read(offset, wanted, port)));
          return count == 0 ? -1 : count;
        });
  }
}
