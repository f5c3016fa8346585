package dev.upcall.cli;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.FsmUpcall;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Asynchronous requests on a store's own thread, for a caller that waits. */
final class OnStoreThread {
  private OnStoreThread() {}

  /** Makes a request there and waits for its completion. */
  static <T> Completion<T> await(FsmUpcall store, Consumer<? super CompletionPort<T>> request) {
    CompletableFuture<Completion<T>> result = new CompletableFuture<>();
    store.execute(
        () -> {
          try {
            request.accept((CompletionPort<T>) result::complete);
          } catch (RuntimeException programmersError) {
            result.completeExceptionally(programmersError);
            throw programmersError;
          }
        });
    return result.join();
  }
}
