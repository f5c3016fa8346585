package dev.upcall.buffer.replacement;

/** An order of frames: a doubly linked list through arrays that several lists may share. */
final class FrameQueue {
  private static final int END = ReplacementPolicy.NONE;

  private final int[] next;
  private final int[] previous;
  private int first = END;
  private int last = END;

  /** An empty list; a frame may be in one list of those that share the arrays. */
  FrameQueue(int[] next, int[] previous) {
    this.next = next;
    this.previous = previous;
  }

  /** The frame at the head, or {@link ReplacementPolicy#NONE}. */
  int first() {
    return first;
  }

  void addLast(int frame) {
    next[frame] = END;
    previous[frame] = last;
    if (last == END) {
      first = frame;
    } else {
      next[last] = frame;
    }
    last = frame;
  }

  void remove(int frame) {
    int before = previous[frame];
    int after = next[frame];
    if (before == END) {
      first = after;
    } else {
      next[before] = after;
    }
    if (after == END) {
      last = before;
    } else {
      previous[after] = before;
    }
  }

  void moveToEnd(int frame) {
    if (frame != last) {
      remove(frame);
      addLast(frame);
    }
  }

  /** The frame behind another, or {@link ReplacementPolicy#NONE}. */
  int after(int frame) {
    return next[frame];
  }
}
