package dev.upcall.fileman.reading;

import dev.upcall.completion.Completion;
import dev.upcall.content.ContentSlice;
import java.nio.ByteBuffer;

/** Content copied out of frames. */
public final class SliceCopy {
  private SliceCopy() {}

  /** Copies as much as fits, gives the frames back and says how much it was. */
  public static int moveTo(ByteBuffer into, ContentSlice slice) {
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

  /** As an array of its own; the frames are given back. */
  public static Completion<byte[]> copied(Completion<ContentSlice> completion) {
    return completion.map(
        slice -> {
          byte[] bytes = new byte[slice.sizeBytes()];
          moveTo(ByteBuffer.wrap(bytes), slice);
          return bytes;
        });
  }
}
