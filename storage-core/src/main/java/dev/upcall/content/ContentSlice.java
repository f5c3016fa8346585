package dev.upcall.content;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Consecutive content bytes in pinned frames, without a copy. Release exactly once, from any
 * thread, when the last buffer is no longer used.
 */
public interface ContentSlice {
  /** The bytes, in order; read-only use; position and limit are the caller's. */
  List<ByteBuffer> buffers();

  /** How many bytes in all. */
  int sizeBytes();

  /** Gives the frames back. */
  void release();
}
