package dev.upcall.fsm;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The bounded FIFO in front of a manager. It has a name, a gauge, and one declared policy for the
 * time when it is full. Owner's thread only; other threads come through a {@link RequestDoor}.
 *
 * @param <R> the requests
 */
public final class RequestQueue<R> {
  /** What happens when the queue is full. */
  public enum WhenFull {
    /** The requester gets {@code Failure.Busy} and may try later. */
    REFUSE,
    /**
     * The requester keeps its request, and registers with {@link RequestQueue#whenRoom} to be
     * called when there is a place for it, first come, first served. A source that can be held
     * back, such as a socket, stops reading until then.
     */
    PARK
  }

  private final String name;
  private final int capacity;
  private final WhenFull policy;
  private final Dispatcher dispatcher;
  private final ArrayDeque<R> waiting = new ArrayDeque<>();
  private final ArrayDeque<Runnable> parked = new ArrayDeque<>();

  /** Places promised to parked requesters whose upcall is on its way. */
  private int promised;

  private int depthMax;
  private long refused;

  /** An empty queue. */
  public RequestQueue(String name, int capacity, WhenFull policy, Dispatcher dispatcher) {
    this.name = name;
    this.capacity = (int) Limits.within(name + " capacity", capacity, 1, 1 << 24);
    this.policy = policy;
    this.dispatcher = dispatcher;
  }

  /** The queue's name. */
  public String name() {
    return name;
  }

  /** What happens when it is full. */
  public WhenFull policy() {
    return policy;
  }

  /** Requests waiting now. */
  public int depth() {
    return waiting.size();
  }

  /** The most that ever waited. */
  public int depthMax() {
    return depthMax;
  }

  /** How many offers were turned away. */
  public long refused() {
    return refused;
  }

  /** Requesters parked now. */
  public int parked() {
    return parked.size();
  }

  /** Whether nothing waits. */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Whether an offer would be accepted now. */
  public boolean hasRoom() {
    return waiting.size() + promised < capacity;
  }

  /** Puts a request at the end, or says no: then the policy tells what the requester does. */
  public boolean offer(R request) {
    dispatcher.checkAccess();
    if (!hasRoom()) {
      refused++;
      return false;
    }
    waiting.addLast(request);
    depthMax = Math.max(depthMax, waiting.size());
    return true;
  }

  /** The failure that goes with a refused offer. */
  public Failure.Busy busy() {
    return new Failure.Busy(name);
  }

  /**
   * Registers an upcall for when there is a place, which is kept for it until that upcall has run;
   * it is never called from inside this method. Only with {@link WhenFull#PARK}.
   */
  public void whenRoom(Runnable upcall) {
    dispatcher.checkAccess();
    Invariants.check(policy == WhenFull.PARK, "this queue refuses and does not park", name);
    parked.addLast(upcall);
    callParked();
  }

  /** Takes the oldest request out, or null. The place goes to the first parked requester. */
  public @Nullable R poll() {
    dispatcher.checkAccess();
    R request = waiting.pollFirst();
    callParked();
    return request;
  }

  private void callParked() {
    while (hasRoom() && !parked.isEmpty()) {
      Runnable upcall = parked.removeFirst();
      promised++;
      dispatcher.post(
          () -> {
            promised--;
            upcall.run();
            callParked();
          });
    }
  }
}
