package dev.upcall.fileman.stage;

import dev.upcall.fsm.wakeup.DespiteFullHeap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Stages of what takes several requests. */
final class Steps {
  private Steps() {}

  /** Why a step failed, without what stages wrap around it. */
  static Throwable cause(Throwable failed) {
    Throwable inside = failed.getCause();
    return failed instanceof CompletionException && inside != null ? inside : failed;
  }

  /** The whole ends as its last step does. */
  static <T> void end(CompletableFuture<T> whole, CompletionStage<T> last) {
    last.whenComplete(
        (value, failed) -> {
          if (failed == null) {
            whole.complete(value);
          } else {
            whole.completeExceptionally(cause(failed));
          }
        });
  }

  /**
   * Goes on with what a step has made. That the step failed fails the whole, and so does whatever
   * going on throws: else nobody would end the whole any more.
   */
  static <T> void goOn(
      CompletableFuture<?> whole, CompletionStage<T> step, Consumer<? super T> next) {
    step.whenComplete(
        (made, failed) -> {
          try {
            if (failed == null) {
              next.accept(made);
              return;
            }
          } catch (Throwable thrown) {
            DespiteFullHeap.fail(whole, thrown);
            return;
          }
          DespiteFullHeap.fail(whole, cause(failed));
        });
  }

  /** Giving the whole up gives the step up that is under way. */
  static <T> CompletableFuture<T> step(CompletableFuture<?> whole, CompletionStage<T> under) {
    CompletableFuture<T> step = under.toCompletableFuture();
    whole.whenComplete(
        (_, failed) -> {
          if (failed != null) {
            step.cancel(false);
          }
        });
    return step;
  }
}
