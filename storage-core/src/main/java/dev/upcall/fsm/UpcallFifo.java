package dev.upcall.fsm;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import org.jspecify.annotations.Nullable;

/**
 * The dispatcher's FIFO: a plain array ring of pairs (target, argument) that grows by doubling up
 * to its limit, beside it one of the ids of the requests that they serve. An upcall is either a
 * {@link Runnable} with no argument, or a {@link CompletionPort} with its {@link Completion};
 * storing the pair spares the frequent case, a completion, the closure that would otherwise be
 * allocated.
 */
final class UpcallFifo {
  private static final int INITIAL_ENTRIES = 256;

  /** For what answers because it has met the end of the heap. */
  private static final int SPARE_ENTRIES = 16;

  private final int limit;
  private @Nullable Object[] slots = new @Nullable Object[2 * INITIAL_ENTRIES];
  private long[] requests = new long[INITIAL_ENTRIES];
  private int mask = INITIAL_ENTRIES - 1;
  private int head;
  private int size;

  UpcallFifo(int limit) {
    this.limit = limit;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean hasRoom() {
    return size < limit;
  }

  /** How many {@link #add} takes without memory. */
  int roomEntries() {
    return mask + 1 - size;
  }

  /** Makes sure that {@link #add} needs no memory for some more. */
  void makeRoom() {
    if (size > mask - SPARE_ENTRIES && size < limit) {
      grow();
    }
  }

  void add(Object target, @Nullable Object argument, long request) {
    if (size > mask || size >= limit) {
      grow();
    }
    int entry = (head + size) & mask;
    slots[entry << 1] = target;
    slots[(entry << 1) + 1] = argument;
    requests[entry] = request;
    size++;
  }

  /** The first entry's target; null when empty. */
  @Nullable Object firstTarget() {
    return slots[head << 1];
  }

  /** The first entry's argument. */
  @Nullable Object firstArgument() {
    return slots[(head << 1) + 1];
  }

  /** Runs an upcall that was in the FIFO. */
  @SuppressWarnings("unchecked")
  static void deliver(Object target, @Nullable Object argument) {
    if (argument == null) {
      ((Runnable) target).run();
    } else {
      ((CompletionPort<Object>) target).complete((Completion<Object>) argument);
    }
  }

  /** Removes the first entry and returns whom it serves. */
  long removeFirst() {
    long request = requests[head];
    int slot = head << 1;
    slots[slot] = null;
    slots[slot + 1] = null;
    head = (head + 1) & mask;
    size--;
    return request;
  }

  /** The target at a distance from the head, for diagnosis. */
  @Nullable Object target(int index) {
    return slots[((head + index) & mask) << 1];
  }

  private void grow() {
    int entries = mask + 1;
    Invariants.check(size < limit, "more upcalls wait than the FIFO's limit", limit);
    @Nullable Object[] larger = new @Nullable Object[4 * entries];
    long[] more = new long[2 * entries];
    int beforeWrap = 2 * (entries - head);
    System.arraycopy(slots, 2 * head, larger, 0, beforeWrap);
    System.arraycopy(slots, 0, larger, beforeWrap, 2 * head);
    slots = larger;
    System.arraycopy(requests, head, more, 0, entries - head);
    System.arraycopy(requests, 0, more, entries - head, head);
    requests = more;
    mask = 2 * entries - 1;
    head = 0;
  }
}
