package dev.upcall.pressure;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher.Timer;
import org.jspecify.annotations.Nullable;

/** Somebody who waits. */
final class Waiter<T> {
  private final Need<T> need;
  private final CompletionPort<T> port;
  private final long sinceRound;
  private final long sincePlaced;
  private @Nullable Timer timer;

  /**
   * One who comes now.
   *
   * @param round how many rounds of work had ended then
   * @param placed how often unplaced content had got its place
   */
  Waiter(Need<T> need, CompletionPort<T> port, long round, long placed) {
    this.need = need;
    this.port = port;
    this.sinceRound = round;
    this.sincePlaced = placed;
  }

  void limitedBy(Timer present) {
    timer = present;
  }

  Need<T> need() {
    return need;
  }

  /** What becomes of it, to be told in this upcall; null if it waits on. */
  @Nullable Runnable served(long placed) {
    T taken = need.take(placed > sincePlaced);
    return taken == null ? null : () -> end(Completion.done(taken));
  }

  /** How many rounds of work ended since it came; the first may have begun before. */
  long rounds(long rounds) {
    return rounds - sinceRound;
  }

  void refuse(Failure why) {
    end(Completion.failed(why));
  }

  private void end(Completion<T> completion) {
    if (timer != null) {
      timer.cancel();
    }
    port.complete(completion);
  }
}
