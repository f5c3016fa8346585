package dev.upcall.txn.state;

import dev.upcall.completion.Failure;
import dev.upcall.fsm.HeapBudget;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in: the limit of requests inside, whether the store closes, and whether it still
 * takes changes. No {@link dev.upcall.fsm.Gate}, which is closed for good once it is empty: work of
 * the store itself comes in while the store closes and behind its end, and the store goes on in the
 * very upcall in which the last request leaves.
 */
public final class StoreEntrance {
  private final int maxRequests;
  private final HeapBudget heap;
  private final Runnable drained;
  private int inside;
  private long refused;
  private boolean closing;
  private @Nullable Failure readOnly;

  /**
   * An open one.
   *
   * @param heap refuses requests while it is full
   * @param drained run each time the last request leaves while closing
   */
  public StoreEntrance(int maxRequests, HeapBudget heap, Runnable drained) {
    this.maxRequests = maxRequests;
    this.heap = heap;
    this.drained = drained;
  }

  /** Lets a request in, or says why not. */
  @Nullable public Failure enter(boolean changes) {
    if (closing) {
      return new Failure.Closed("the store");
    }
    if (changes && readOnly != null) {
      return readOnly;
    }
    if (inside >= maxRequests) {
      refused++;
      return new Failure.Busy("requests inside the store");
    }
    Failure full = heap.refuses();
    if (full == null) {
      inside++;
    }
    return full;
  }

  /** Why no new content may be begun, or null. */
  @Nullable public Failure refusesContent() {
    return readOnly == null && closing ? new Failure.Closed("the store") : readOnly;
  }

  /** Lets work of the store itself in, which is not refused while closing. */
  public void enterInternal() {
    inside++;
  }

  /** A request leaves. */
  public void leave() {
    inside--;
    if (closing && inside == 0) {
      drained.run();
    }
  }

  /** Nobody comes in any more. */
  public void close() {
    closing = true;
    if (inside == 0) {
      drained.run();
    }
  }

  public boolean isClosing() {
    return closing;
  }

  public int inside() {
    return inside;
  }

  /** How many were not let in because there were too many inside. */
  long refused() {
    return refused;
  }

  /** Takes no changes any more. The first reason stays. */
  public void makeReadOnly(String reason) {
    if (readOnly == null) {
      readOnly = new Failure.ReadOnly(reason);
    }
  }

  @Nullable public Failure readOnly() {
    return readOnly;
  }
}
