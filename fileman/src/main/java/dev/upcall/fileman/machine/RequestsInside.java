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

  /** One has begun. */
  void add(Inside<?> inside) {
    inside.follow(ends);
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
  abstract static class Inside<T> extends Link implements CompletionPort<T>, Runnable {
    private final CompletionPort<T> asker;

    /** The port to complete; null once that has begun. */
    private @Nullable Failure why;

    /**
     * One that begins.
     *
     * @param asker hears of the thread's end where there is no completion any more
     */
    Inside(CompletionPort<T> asker) {
      this.asker = asker;
    }

    /** Its completion has come. */
    abstract void leave(Completion<T> completion);

    @Override
    public final void complete(Completion<T> completion) {
      unlink();
      leave(completion);
    }

    /** Nobody hears twice: what finds no memory for this begins anew, what has begun does not. */
    @Override
    public final void run() {
      Failure told = why;
      if (told != null) {
        Completion<T> failed = Completion.failed(told);
        why = null;
        asker.complete(failed);
      }
    }
  }
}
