package dev.upcall.fileman.stage;

import dev.upcall.fsm.Dispatcher;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A stage of what a store was asked, and those behind it: for programs, since machines of the store
 * have ports. What waits for one is refused to the store's own thread, unless there is nothing to
 * wait for: it would come after the wait.
 */
final class AskedStage<T> extends CompletableFuture<T> {
  private final Dispatcher dispatcher;

  AskedStage(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new AskedStage<>(dispatcher);
  }

  @Override
  public T join() {
    checkMayWait();
    return super.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    checkMayWait();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    checkMayWait();
    return super.get(timeout, unit);
  }

  private void checkMayWait() {
    if (!isDone() && dispatcher.isOwner()) {
      throw new IllegalStateException(
          "the store's own thread would wait for itself; put what follows behind the stage, or use"
              + " the FileManager");
    }
  }
}
