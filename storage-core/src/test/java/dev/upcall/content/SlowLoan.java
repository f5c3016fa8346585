package dev.upcall.content;

import java.util.function.Consumer;

/** A caller who takes its time between the steps of filling what was lent. */
public final class SlowLoan {
  private SlowLoan() {}

  /**
   * Begins to fill.
   *
   * @param pause runs the rest some time later
   * @param then run behind the rest, or at once if there is nothing to be filled
   */
  public static void fill(Loan loan, Consumer<Runnable> pause, Runnable then) {
    if (!loan.begin()) {
      then.run();
      return;
    }
    pause.accept(
        () -> {
          loan.copy();
          loan.end();
          then.run();
        });
  }
}
