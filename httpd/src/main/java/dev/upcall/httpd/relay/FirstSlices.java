package dev.upcall.httpd.relay;

import dev.upcall.base.Invariants;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.io.Disk;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How many slices may be on their way, be here and not asked for, or be copies that are not sent
 * yet; and the memory of copies. One thread.
 */
final class FirstSlices {
  private final int limit;

  /** The one used last comes first: it is still in the processor's cache. */
  private final Deque<ByteBuffer> spare = new ArrayDeque<>();

  private int left;

  FirstSlices(int limit) {
    this.limit = limit;
    this.left = limit;
  }

  /** Takes a place if there is one. */
  boolean take() {
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }

  /** Gives a place back. */
  void give() {
    left++;
    Invariants.check(left <= limit, "more first slices were given back than taken", left);
  }

  /** Memory for the copy of one slice, for who has a place. */
  ByteBuffer memory() {
    ByteBuffer used = spare.pollFirst();
    return used == null ? Disk.newBuffer(HttpConfig.SLICE_BYTES) : used;
  }

  /** Nobody reads it any more. */
  void spare(ByteBuffer memory) {
    spare.addFirst(memory);
  }
}
