package dev.upcall.trees;

import dev.upcall.AsyncReads;
import dev.upcall.completion.CompletionPort;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Something to be done to a whole tree, once: by the thread that {@link #run}s it, or on threads of
 * its own, which tell of its end by a stage or at a port. The store must stay open meanwhile.
 */
public interface TreeTask {
  /**
   * Does it, and waits; an interrupt ends it early, and is kept. Single entries that cannot be
   * carried are problems, which {@link TreeWatch} hears of and the summary lists.
   *
   * @throws IOException when the host's side cannot be read or made at all
   * @throws dev.upcall.UpcallException what ends the whole, such as a full volume or a source that
   *     is not there; what was done until then stays, see {@link #soFar}
   * @throws IllegalStateException when it was run before
   */
  TreeSummary run() throws IOException;

  /** What was done until now; for a look meanwhile, or after a failure. Any thread. */
  TreeSummary soFar();

  /**
   * Has it end early: what is done stays, and {@link #run} returns with {@link
   * TreeSummary.End#CANCELLED}. Returns at once. Any thread.
   */
  void cancel();

  /**
   * Does it on threads of its own and answers a stage, which completes on the executor; for callers
   * that do not wait, the store's own thread among them. What {@link #run} throws is what the stage
   * ends with. A future that is cancelled cancels the task.
   *
   * @throws IllegalStateException when it was run before
   */
  CompletableFuture<TreeSummary> start(Executor executor);

  /**
   * Does it on threads of its own; the completion comes where those of these files come: {@code
   * Device} for an {@link IOException} of {@link #run}. To be called there.
   *
   * @throws IllegalStateException when it was run before
   */
  void start(AsyncReads files, CompletionPort<TreeSummary> port);
}
