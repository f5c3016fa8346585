package dev.upcall.fileman.stage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A stage behind which nothing ever runs inside the call that puts it there: all of it goes to the
 * executor, also when the stage has completed by then. So whoever called unwinds, however threads
 * are scheduled.
 */
final class DetachedStage<T> extends CompletableFuture<T> {
  private final Executor executor;

  DetachedStage(Executor executor) {
    this.executor = executor;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  @Override
  public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> next) {
    return thenApplyAsync(next, executor);
  }

  @Override
  public CompletableFuture<Void> thenAccept(Consumer<? super T> next) {
    return thenAcceptAsync(next, executor);
  }

  @Override
  public CompletableFuture<Void> thenRun(Runnable next) {
    return thenRunAsync(next, executor);
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> next) {
    return thenCombineAsync(other, next, executor);
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBoth(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> next) {
    return thenAcceptBothAsync(other, next, executor);
  }

  @Override
  public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable next) {
    return runAfterBothAsync(other, next, executor);
  }

  @Override
  public <U> CompletableFuture<U> applyToEither(
      CompletionStage<? extends T> other, Function<? super T, U> next) {
    return applyToEitherAsync(other, next, executor);
  }

  @Override
  public CompletableFuture<Void> acceptEither(
      CompletionStage<? extends T> other, Consumer<? super T> next) {
    return acceptEitherAsync(other, next, executor);
  }

  @Override
  public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable next) {
    return runAfterEitherAsync(other, next, executor);
  }

  @Override
  public <U> CompletableFuture<U> thenCompose(
      Function<? super T, ? extends CompletionStage<U>> next) {
    return thenComposeAsync(next, executor);
  }

  @Override
  public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> next) {
    return whenCompleteAsync(next, executor);
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> next) {
    return handleAsync(next, executor);
  }

  @Override
  public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> next) {
    return exceptionallyAsync(next, executor);
  }

  @Override
  public CompletableFuture<T> exceptionallyCompose(
      Function<Throwable, ? extends CompletionStage<T>> next) {
    return exceptionallyComposeAsync(next, executor);
  }
}
