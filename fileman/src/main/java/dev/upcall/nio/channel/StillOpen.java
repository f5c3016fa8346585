package dev.upcall.nio.channel;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is open in a file system, and closes with it. A program may forget something without closing
 * it: what it cannot reach any more is ended when something is next opened. Any threads.
 */
public final class StillOpen {
  private final Set<Held> held = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Closeable> unreachable = new ReferenceQueue<>();

  /** Gives back what something has that was forgotten; must not lead to that itself. */
  public interface End {
    /** Does it. */
    void run() throws IOException;
  }

  private static final class Held extends WeakReference<Closeable> {
    private final End end;

    Held(Closeable open, End end, ReferenceQueue<Closeable> unreachable) {
      super(open, unreachable);
      this.end = end;
    }
  }

  /**
   * Something is open.
   *
   * @param end what is to be done when it was forgotten
   * @return how it is held, which tells when it was forgotten
   */
  public Reference<?> add(Closeable open, End end) {
    endForgotten();
    Held added = new Held(open, end, unreachable);
    held.add(added);
    return added;
  }

  /** What was added is closed. */
  public void remove(@Nullable Reference<?> closed) {
    if (closed instanceof Held one) {
      held.remove(one);
    }
  }

  /** Nobody hears of a failure: of the file's content the next force tells it. */
  private void endForgotten() {
    for (Reference<?> next = unreachable.poll(); next != null; next = unreachable.poll()) {
      try {
        end((Held) next);
      } catch (IOException | RuntimeException failed) {
        System.getLogger(StillOpen.class.getName())
            .log(System.Logger.Level.WARNING, "closing a channel that was forgotten open", failed);
      }
    }
  }

  private void end(Held forgotten) throws IOException {
    if (held.remove(forgotten)) {
      forgotten.end.run();
    }
  }

  /** Everything closes now, those too that were forgotten. */
  public void closeAll(Closing closing) {
    for (Held each : List.copyOf(held)) {
      Closeable open = each.get();
      closing.close(open == null ? () -> end(each) : open);
    }
  }

  /** Closes one, and keeps what it fails with. */
  public interface Closing {
    /** Does it. */
    void close(Closeable open);
  }
}
