package dev.upcall.feed.replay;

import dev.upcall.PutHandle;
import dev.upcall.completion.Completion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A put that was asked for: what comes for it waits for its handle, and for what came before. */
final class OpenPut {
  private final Deque<BiConsumer<PutHandle, Runnable>> waiting = new ArrayDeque<>();
  private @Nullable PutHandle handle;
  private boolean busy;

  /** It has begun, or was refused: then nothing comes of what waits. */
  void begun(Completion<PutHandle> completion) {
    if (completion instanceof Completion.Done<PutHandle>(PutHandle begun)) {
      handle = begun;
      next();
    }
  }

  /**
   * Asks something of the handle, at once or when it can be.
   *
   * @param request gets what to run when the handle may be asked again
   */
  void ask(BiConsumer<PutHandle, Runnable> request) {
    waiting.addLast(request);
    next();
  }

  private void next() {
    PutHandle begun = handle;
    while (begun != null && !busy && !waiting.isEmpty()) {
      busy = true;
      waiting.removeFirst().accept(begun, this::free);
    }
  }

  private void free() {
    busy = false;
    next();
  }
}
