package dev.upcall.fileman.trees;

import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.fileman.trees.TreeCursor.Step;
import dev.upcall.stage.StageReads;
import dev.upcall.trees.TreeEntry;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A walk by stages: one step at a time, each begun where the one before has completed. */
final class StageWalk {
  private final StageReads files;
  private final TreeCursor cursor;
  private final Function<? super TreeEntry, ? extends CompletionStage<?>> visit;
  private final CompletableFuture<Long> whole = new CompletableFuture<>();

  /** What is waited for; whoever gives the whole up gives it up. */
  private volatile @Nullable CompletableFuture<?> underWay;

  private long visited;

  StageWalk(
      StageReads files,
      TreeCursor cursor,
      Function<? super TreeEntry, ? extends CompletionStage<?>> visit) {
    this.files = files;
    this.cursor = cursor;
    this.visit = visit;
  }

  CompletableFuture<Long> start() {
    whole.whenComplete(
        (_, _) -> {
          CompletableFuture<?> step = underWay;
          if (whole.isCancelled() && step != null) {
            step.cancel(false);
          }
        });
    goOn();
    return whole;
  }

  private void goOn() {
    try {
      while (!whole.isDone()) {
        switch (cursor.next()) {
          case Step.Found(var entry) -> {
            if (!visited(entry)) {
              return;
            }
          }
          case Step.List(var directory, var after) -> {
            ask(files.list(directory, after, TreeWalks.PAGE_ENTRIES), TreeCursor::listed);
            return;
          }
          case Step.Look(var path, var links) -> {
            ask(files.stat(path, links), TreeCursor::looked);
            return;
          }
          case Step.End _ -> whole.complete(visited);
        }
      }
    } catch (Throwable failed) {
      whole.completeExceptionally(failed);
    }
  }

  /** Whether the stage that an entry is answered with has completed by now. */
  private boolean visited(TreeEntry entry) {
    visited++;
    CompletableFuture<?> step =
        Objects.requireNonNull(visit.apply(entry), "the stage of an entry").toCompletableFuture();
    if (step.isDone() && !step.isCompletedExceptionally()) {
      return true;
    }
    wait(step);
    step.whenComplete(
        (_, failed) -> {
          if (failed == null) {
            goOn();
          } else {
            whole.completeExceptionally(cause(failed));
          }
        });
    return false;
  }

  private <T> void ask(CompletionStage<T> stage, BiConsumer<TreeCursor, Completion<T>> tell) {
    wait(stage.toCompletableFuture());
    stage.whenComplete(
        (value, failed) -> {
          try {
            if (failed == null) {
              tell.accept(cursor, Completion.done(value));
            } else if (cause(failed) instanceof UpcallException known) {
              tell.accept(cursor, Completion.failed(known.failure()));
            } else {
              whole.completeExceptionally(cause(failed));
            }
          } catch (Throwable ends) {
            whole.completeExceptionally(ends);
          }
          goOn();
        });
  }

  private void wait(CompletableFuture<?> step) {
    underWay = step;
    if (whole.isCancelled()) {
      step.cancel(false);
    }
  }

  private static Throwable cause(Throwable failed) {
    Throwable inside = failed.getCause();
    return failed instanceof CompletionException && inside != null ? inside : failed;
  }
}
