package dev.upcall.cli.store;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.shell.Shell;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store for a command, and waits a little for one that somebody else has open: mostly
 * another command, which has done its work in a moment.
 */
public final class Opening {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** What is waited for without a word. */
  private static final Duration A_MOMENT = Duration.ofMillis(500);

  private static final long LOOK_MILLIS = 50;

  private final Shell shell;
  private final long begunNanos = System.nanoTime();
  private boolean said;

  public Opening(Shell shell) {
    this.shell = shell;
  }

  /**
   * Opens it.
   *
   * @throws UpcallException as the way to open it does; {@code Conflict} when the patience is over
   */
  public Upcall open(Supplier<Upcall> way) {
    Upcall opened;
    do {
      opened = tryOpen(way);
    } while (opened == null);
    return opened;
  }

  /** As {@link #open}, but null after a look at one that is still in use: one looks again. */
  @Nullable Upcall tryOpen(Supplier<Upcall> way) {
    try {
      return way.get();
    } catch (UpcallException.Conflict inUse) {
      long passedNanos = System.nanoTime() - begunNanos;
      if (passedNanos > PATIENCE.toNanos()) {
        throw inUse;
      }
      if (!said && passedNanos > A_MOMENT.toNanos()) {
        said = true;
        shell.say(inUse.getMessage() + "; waiting, at most " + PATIENCE.toSeconds() + " s");
      }
    }
    shell.stop().await(LOOK_MILLIS);
    shell.stop().endIfAsked();
    return null;
  }
}
