package dev.upcall.fileman.trees;

import dev.upcall.AsyncReads;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fileman.trees.TreeCursor.Step;
import dev.upcall.trees.TreeEntry;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** A walk by completions, each of which comes later than the call that asked for it. */
final class PortWalk {
  /** One page is gone through in one upcall. */
  private static final int PAGE_ENTRIES = 64;

  private final AsyncReads files;
  private final TreeCursor cursor;
  private final Predicate<? super TreeEntry> visit;
  private final CompletionPort<Long> port;
  private long visited;

  PortWalk(
      AsyncReads files,
      TreeCursor cursor,
      Predicate<? super TreeEntry> visit,
      CompletionPort<Long> port) {
    this.files = files;
    this.cursor = cursor;
    this.visit = visit;
    this.port = port;
  }

  /** Goes to the next place where an answer is needed. */
  void goOn() {
    Step step = cursor.next();
    while (step instanceof Step.Found(TreeEntry entry)) {
      visited++;
      if (!visit.test(entry)) {
        port.complete(Completion.done(visited));
        return;
      }
      step = cursor.next();
    }
    switch (step) {
      case Step.List(var directory, var after) ->
          files.list(directory, after, PAGE_ENTRIES, told(TreeCursor::listed));
      case Step.Look(var path, var links) -> files.stat(path, links, told(TreeCursor::looked));
      case Step.Found _, Step.End _ -> port.complete(Completion.done(visited));
    }
  }

  private <T> CompletionPort<T> told(BiConsumer<TreeCursor, Completion<T>> tell) {
    return answer -> {
      try {
        tell.accept(cursor, answer);
      } catch (UpcallException ended) {
        port.complete(Completion.failed(ended.failure()));
        return;
      }
      goOn();
    };
  }
}
