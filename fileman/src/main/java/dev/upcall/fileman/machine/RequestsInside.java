package dev.upcall.fileman.machine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.wakeup.DespiteFullHeap;
import org.jspecify.annotations.Nullable;

/** The requests that have begun and are not answered: all of them hear of their thread's end. */
final class RequestsInside {
  /** The link that both ends of the chain share. */
  private final Link ends = new Link();

  /** None. */
  RequestsInside() {}

  /**
   * One has begun.
   *
   * @param leaving hears of its completion
   * @param asker hears instead where there is none any more
   * @return the port that the completion must go to
   */
  <T> CompletionPort<T> add(CompletionPort<T> leaving, CompletionPort<T> asker) {
    Inside<T> inside = new Inside<>(leaving, asker);
    inside.follow(ends);
    return inside;
  }

  /** All of them fail, once each, in the order in which they came. */
  void fail(Failure why) {
    for (Link next = ends.after; next != ends; next = ends.after) {
      next.unlink();
      if (next instanceof Inside<?> inside) {
        inside.why = why;
        DespiteFullHeap.run(inside);
      }
    }
  }

  private static class Link {
    private Link before = this;
    private Link after = this;

    final void follow(Link ends) {
      before = ends.before;
      after = ends;
      before.after = this;
      ends.before = this;
    }

    final void unlink() {
      before.after = after;
      after.before = before;
      // For the collector: one that has grown old would keep its neighbours, and they theirs.
      before = this;
      after = this;
    }
  }

  /** One of them: the port that its completion must go to. */
  private static final class Inside<T> extends Link implements CompletionPort<T>, Runnable {
    private final CompletionPort<T> leaving;
    private final CompletionPort<T> asker;

    /** The port to complete; null once that has begun. */
    private @Nullable Failure why;

    Inside(CompletionPort<T> leaving, CompletionPort<T> asker) {
      this.leaving = leaving;
      this.asker = asker;
    }

    @Override
    public void complete(Completion<T> completion) {
      unlink();
      leaving.complete(completion);
    }

    /** Nobody hears twice: what finds no memory for this begins anew, what has begun does not. */
    @Override
    public void run() {
      Failure told = why;
      if (told != null) {
        Completion<T> failed = Completion.failed(told);
        why = null;
        asker.complete(failed);
      }
    }
  }
}
