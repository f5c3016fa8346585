package dev.upcall.httpd.socket;

import dev.upcall.base.Invariants;
import dev.upcall.io.Disk;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Native memory of sockets, a piece for each, which is used again by the next one: the one that was
 * given back last comes first, since it is in the processor's cache. It is allocated in chunks and
 * kept while there are sockets. Dispatcher's thread.
 */
final class SocketMemory {
  /** How much a socket has. */
  static final int PIECE_BYTES = 1024;

  private static final int CHUNK_PIECES = 64;

  private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
  private int taken;

  /** A piece for one socket, with whatever lies in it. */
  MemorySegment take() {
    if (free.isEmpty()) {
      MemorySegment chunk = MemorySegment.ofBuffer(Disk.newBuffer(CHUNK_PIECES * PIECE_BYTES));
      for (int i = 0; i < CHUNK_PIECES; i++) {
        free.addLast(chunk.asSlice((long) i * PIECE_BYTES, PIECE_BYTES));
      }
    }
    taken++;
    return free.removeLast();
  }

  /** Takes a piece back, of which the kernel uses nothing any more. */
  void give(MemorySegment piece) {
    taken--;
    Invariants.check(taken >= 0, "more memory of sockets came back than was taken", taken);
    if (taken == 0 && free.size() >= CHUNK_PIECES) {
      free.clear(); // of a crowd that is gone; the collector frees it
    } else {
      free.addLast(piece);
    }
  }
}
