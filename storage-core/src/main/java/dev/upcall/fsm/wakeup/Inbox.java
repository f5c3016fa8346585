package dev.upcall.fsm.wakeup;

import dev.upcall.fsm.door.RequestDoor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The cross-thread queue: many threads offer, one thread takes; with the wake-up and the close in
 * the same word, so that there is nothing between them to get wrong.
 *
 * <p>The word {@code newest} is one of
 *
 * <pre>
 *   null      empty, the taker is awake
 *   ASLEEP    empty, the taker sleeps or is about to: whoever offers next must wake it
 *   DOZING    empty, the taker sleeps, but with a timer: who offers next may leave it asleep
 *   CLOSED    nothing is accepted any more
 *   a node    the newest of a chain of elements, linked to the older ones; the taker is awake
 *             or has been woken by the one who put the oldest of them; unless it is marked as
 *             unwoken: then the taker dozes, and nobody has woken it for any of the chain
 * </pre>
 *
 * <p>Every change is one compare-and-set (or swap) of that word, and that gives the three promises:
 *
 * <ol>
 *   <li>Each accepted element is taken exactly once, in the order of acceptance.
 *   <li>No wake-up is lost: the taker falls asleep only by null to ASLEEP, so nothing was waiting;
 *       the one offer that replaces ASLEEP is told to wake, and no other is, so a busy taker is
 *       never called. A taker that dozes wakes by itself; before that it is woken by the first
 *       offer that is not corked, or by who sees the mark ({@link #isUnwoken}).
 *   <li>An element is either accepted, and then among what {@link #close} leaves to be taken, or
 *       refused; no thread can slip an element in behind the close.
 * </ol>
 *
 * <p>The chain is in reverse; the taker takes all of it in one swap and turns it round, privately.
 * JCTools' queues are faster at millions of elements a second, but need a second word for the sleep
 * and a third for the close, and the fences between them.
 *
 * <p>The queue itself is not bounded. It must not be: returned leases and closings have to get
 * through. What is bounded is what stands in front of it: {@link RequestDoor} for requests.
 *
 * @param <E> the elements
 */
public final class Inbox<E> {
  /** What became of an offer. */
  public enum Offer {
    /** Accepted; the taker is awake. */
    ACCEPTED,
    /** Accepted; the caller must wake the taker. */
    ACCEPTED_WAKE,
    /** Accepted; the taker dozes, and this caller wakes it soon or leaves that to its timer. */
    ACCEPTED_CORKED,
    /** Closed; not accepted. */
    REFUSED
  }

  private static final class Node {
    private final @Nullable Object element;
    private @Nullable Node older;

    /** Whether the taker dozes and was not woken for this one, nor for the older ones. */
    private boolean unwoken;

    Node(@Nullable Object element) {
      this.element = element;
    }
  }

  private static final Node ASLEEP = new Node(null);
  private static final Node DOZING = new Node(null);
  private static final Node CLOSED = new Node(null);

  private final AtomicReference<@Nullable Node> newest = new AtomicReference<>();

  /** The taker's own: elements taken over, oldest first. */
  private @Nullable Node taken;

  /** Puts an element at the end. Any thread. */
  public Offer offer(E element) {
    return offer(element, /* corked= */ false);
  }

  /** As {@link #offer}, but leaves a taker that dozes asleep for now. Any thread. */
  public Offer offerCorked(E element) {
    return offer(element, /* corked= */ true);
  }

  private Offer offer(E element, boolean corked) {
    Node node = new Node(element);
    while (true) {
      Node before = newest.get();
      if (before == CLOSED) {
        return Offer.REFUSED;
      }
      boolean unwoken = isUnwoken(before);
      node.older = before == ASLEEP || before == DOZING ? null : before;
      node.unwoken = corked && (unwoken || before == DOZING);
      if (newest.compareAndSet(before, node)) {
        if (node.unwoken) {
          return Offer.ACCEPTED_CORKED;
        }
        return unwoken || before == ASLEEP || before == DOZING
            ? Offer.ACCEPTED_WAKE
            : Offer.ACCEPTED;
      }
    }
  }

  /** Whether something waits that a dozing taker has not been woken for. Any thread. */
  public boolean isUnwoken() {
    return isUnwoken(newest.get());
  }

  private static boolean isUnwoken(@Nullable Node head) {
    return head != null && head.unwoken;
  }

  /**
   * Takes the oldest element, or null when there is none. Taker only; a taker that polls is awake,
   * even if it had announced its sleep.
   */
  @SuppressWarnings("unchecked")
  @Nullable public E poll() {
    if (taken == null) {
      takeOver();
      if (taken == null) {
        return null;
      }
    }
    Node oldest = taken;
    taken = oldest.older;
    return (E) oldest.element;
  }

  /** Whether there was nothing to take. Taker only. */
  public boolean isEmpty() {
    Node head = newest.get();
    return taken == null && (head == null || isMark(head));
  }

  /**
   * Announces that the taker is about to sleep; true if it may, because nothing waits. Taker only.
   */
  public boolean fallAsleep() {
    return taken == null && newest.compareAndSet(null, ASLEEP);
  }

  /**
   * As {@link #fallAsleep}, of a taker that wakes by itself soon, so that corked offers need not
   * wake it. Taker only.
   */
  public boolean doze() {
    return taken == null && newest.compareAndSet(null, DOZING);
  }

  /** Ends what {@link #fallAsleep} began, so that nobody wakes the taker in vain. Taker only. */
  public void awake() {
    if (!newest.compareAndSet(ASLEEP, null)) {
      newest.compareAndSet(DOZING, null);
    }
  }

  private static boolean isMark(Node head) {
    return head == ASLEEP || head == DOZING || head == CLOSED;
  }

  /** Accepts nothing from now on; what was accepted can still be polled. Taker only. */
  public void close() {
    Node last = newest.getAndSet(CLOSED);
    if (last != CLOSED) {
      append(last);
    }
  }

  private void takeOver() {
    if (newest.get() != null && newest.get() != CLOSED) {
      append(newest.getAndSet(null));
    }
  }

  private void append(@Nullable Node last) {
    Node oldest = null;
    for (Node node = last == null || isMark(last) ? null : last; node != null; ) {
      Node older = node.older;
      node.older = oldest;
      oldest = node;
      node = older;
    }
    if (taken == null) {
      taken = oldest;
      return;
    }
    Node end = taken;
    while (end.older != null) {
      end = end.older;
    }
    end.older = oldest;
  }
}
