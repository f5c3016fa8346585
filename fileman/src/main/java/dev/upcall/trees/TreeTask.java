package dev.upcall.trees;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/**
 * Something to be done to a whole tree, once: by the thread that {@link #run}s it, or elsewhere by
 * {@link #start}. The store must stay open meanwhile.
 */
public interface TreeTask {
  /**
   * Does it, and waits. Single entries that cannot be carried are problems, which {@link TreeWatch}
   * hears of and the summary lists.
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
   * Runs it on an executor, whose thread waits as long as it takes; a virtual thread will do. A
   * future that is cancelled cancels the task.
   */
  default CompletableFuture<TreeSummary> start(Executor executor) {
    Objects.requireNonNull(executor, "executor");
    CompletableFuture<TreeSummary> done =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run();
              } catch (IOException failed) {
                throw new CompletionException(failed);
              }
            },
            executor);
    done.whenComplete(
        (_, _) -> {
          if (done.isCancelled()) {
            cancel();
          }
        });
    return done;
  }
}
