package dev.upcall.fileman.machine;

import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Where changes of names meet files that threads have made and nobody has committed yet, so that no
 * name is taken twice. A change waits until such files are committed; whoever makes one looks
 * whether a change is under way, and if so commits it at once. Each says that it is there before it
 * looks for the other (Dekker's way), so one of both sees the other.
 *
 * <p>The dispatcher's thread, but for what says any thread.
 */
public final class UncommittedNames {
  /** Who makes such files. */
  public interface Source {
    /** Whether there are any. Does not wait. */
    boolean areAny();

    /**
     * Has all of them committed on another thread, and runs there what is next, whether that could
     * be or not. Does not wait.
     */
    void commitThen(Runnable next);
  }

  private final Dispatcher dispatcher;

  /** What waits, in the order in which it came. */
  private final Queue<Runnable> line = new ArrayDeque<>();

  private long changes;

  /** Whether there are changes; for other threads. */
  private volatile boolean areChanging;

  private volatile @Nullable Source source;

  UncommittedNames(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Who makes files without committing them; once, before it has made any. Any thread. */
  public void source(Source maker) {
    source = maker;
  }

  /**
   * Whether a change is under way that may take any name. Any thread: where this is false, each
   * change that begins from now on finds what the source said before.
   */
  public boolean areChanging() {
    return areChanging;
  }

  /** A change of names begins, of which {@link #ended} is told; then {@link #whenCommitted}. */
  void begin() {
    changes++;
    areChanging = true;
  }

  /** It has ended: others see it, or it will never be. */
  void ended() {
    changes--;
    areChanging = changes > 0;
  }

  /**
   * Runs a request: now, or when the files that are not committed are. Requests keep their order.
   */
  void whenCommitted(Runnable request) {
    Source maker = source;
    if (line.isEmpty() && (maker == null || !maker.areAny())) {
      request.run();
      return;
    }
    begin(); // who waits counts: what is new from now on is committed at once, and needs no line
    FlightRecorder recorder = dispatcher.recorder();
    long asker = recorder.current();
    line.add(() -> recorder.serving(asker, request));
    if (line.size() == 1 && maker != null) {
      maker.commitThen(() -> dispatcher.offer(this::runLine));
    }
  }

  /** As many as the file manager lets in. */
  private void runLine() {
    for (Runnable next = line.poll(); next != null; next = line.poll()) {
      next.run();
      ended();
    }
  }
}
