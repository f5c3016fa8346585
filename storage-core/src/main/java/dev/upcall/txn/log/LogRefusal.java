package dev.upcall.txn.log;

import dev.upcall.completion.Failure;
import org.jspecify.annotations.Nullable;

/** What a log answers that takes nothing more. */
public final class LogRefusal {
  private LogRefusal() {}

  /**
   * Why a log takes nothing more, or null if it does.
   *
   * @param failure why it failed, or null
   * @param closing whether it is to end
   */
  static @Nullable public Failure of(@Nullable Failure failure, boolean closing) {
    if (failure != null) {
      return readOnly(failure);
    }
    return closing ? new Failure.Closed("the log") : null;
  }

  /** What is left of a store whose log failed. */
  public static Failure readOnly(Failure why) {
    return new Failure.ReadOnly(
        "writing the log failed ("
            + why.message()
            + "); reading goes on, restart when the disk is in order");
  }
}
