package dev.upcall.content;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Memory of the store that another thread fills with what it has appended, so that the store's
 * thread copies nothing large. One object for the appends of one content, one after the other: the
 * store lends, the completion comes, the caller {@linkplain #fill fills}, and asks for the next
 * thing. The store may take it back at any time; it waits for nobody then, and what is being filled
 * is used for nothing else before that has ended.
 */
public final class Loan {
  private enum State {
    /** Nothing is lent, or all of it was filled. */
    SETTLED,
    /** There is something that nobody has begun to fill. */
    LENT,
    /** The caller copies. */
    FILLING,
    /** The store has taken it back. */
    TAKEN_BACK
  }

  private record Part(ByteBuffer source, ByteBuffer target) {}

  private final AtomicReference<State> state = new AtomicReference<>(State.SETTLED);
  private final List<Part> parts = new ArrayList<>();

  /** Written before the state becomes {@code TAKEN_BACK}. */
  private Runnable whenFilled = () -> {};

  /** Nothing is lent yet. */
  public Loan() {}

  /**
   * Lends memory for some bytes. The store's thread, inside an append.
   *
   * @param source the caller's bytes, of which nothing may change before they are copied
   * @param target as long
   */
  public void add(ByteBuffer source, ByteBuffer target) {
    Objects.requireNonNull(source, "source");
    parts.add(new Part(source, Objects.requireNonNull(target, "target")));
    state.set(State.LENT);
  }

  /** Whether something is lent that is not filled. Any thread. */
  public boolean isOpen() {
    State present = state.get();
    return present == State.LENT || present == State.FILLING;
  }

  /**
   * Copies what was appended into what was lent, if anything was; false, and nothing was done or it
   * was in vain, when the store has taken it back: the next request says why. Caller's thread.
   */
  public boolean fill() {
    if (!begin()) {
      return state.get() == State.SETTLED;
    }
    copy();
    return end();
  }

  /** The first step of {@link #fill}: whether there is something to be copied. */
  boolean begin() {
    return state.compareAndSet(State.LENT, State.FILLING);
  }

  /** The second step of {@link #fill}. */
  void copy() {
    parts.forEach(part -> part.target().put(part.source()));
  }

  /** The last step of {@link #fill}: whether it was not in vain. */
  boolean end() {
    parts.clear();
    if (state.compareAndSet(State.FILLING, State.SETTLED)) {
      return true;
    }
    whenFilled.run();
    return false;
  }

  /**
   * Nobody begins to fill it any more. The store's thread.
   *
   * @param later run by the caller's thread as soon as it has ended, if it is filling now
   * @return false if it is: then the memory is in use until {@code later} runs
   */
  public boolean takeBack(Runnable later) {
    whenFilled = Objects.requireNonNull(later, "later");
    while (isOpen()) {
      if (state.compareAndSet(State.LENT, State.TAKEN_BACK)) {
        return true;
      }
      if (state.compareAndSet(State.FILLING, State.TAKEN_BACK)) {
        return false;
      }
    }
    return true;
  }
}
