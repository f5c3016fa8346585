package dev.upcall.pressure;

import dev.upcall.completion.Failure;
import org.jspecify.annotations.Nullable;

/** What somebody waits for. Called on the dispatcher's thread. */
public interface Need<T> {
  /**
   * What there is for it, taken in this call; null, and nothing has happened, if that is not
   * enough.
   *
   * @param placed whether unplaced content has got its place since it came
   */
  @Nullable T take(boolean placed);

  /** Asks for more: there was not enough, and it is the first of those who wait. */
  void seek();

  /** Whether more comes without a further round of work, so that it is too early to give up. */
  default boolean isComing() {
    return false;
  }

  /**
   * What is said to it when it gives up.
   *
   * @param failure of the work that was to make room, if that failed
   */
  Failure refusal(@Nullable Failure failure);

  /** It gives up after so long, whatever happens. */
  default long timeoutNanos() {
    return Long.MAX_VALUE;
  }
}
