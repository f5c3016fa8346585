package dev.upcall.txn;

import dev.upcall.completion.Completion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.tree.PageMissing;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the state on other threads than the store's, which neither wait for it nor make it wait.
 * What they see is the present state as far as anybody could know: it has every change that was
 * acknowledged or seen before. They answer what is in memory; all else is the store's to find out.
 */
public final class PublishedReads {
  private final Publication publication;
  private final Dispatcher dispatcher;
  private final LongAdder answered = new LongAdder();

  /** Looks at what is published. */
  public PublishedReads(Publication publication, Dispatcher dispatcher) {
    this.publication = publication;
    this.dispatcher = dispatcher;
  }

  /**
   * What a query says, or null: then its caller asks the store, and has {@link #wanted} called
   * there. Any thread.
   */
  public <T> @Nullable Completion<T> look(Query<T> query) {
    View view = dispatcher.hasEnded() || dispatcher.failure() != null ? null : publication.view();
    if (view == null) {
      return null;
    }
    try {
      Completion<T> completion = query.run(view);
      answered.increment();
      return completion;
    } catch (PageMissing missing) {
      return null;
    }
  }

  /**
   * A look had no answer: the next one shall find a view, unless what is asked of the store is
   * written down, looks too. The store's thread.
   */
  public void wanted() {
    dispatcher.checkOwner();
    if (dispatcher.recorder().inputNames() == null) {
      publication.wanted();
    }
  }

  /** From now on every look comes to the store. The store's thread. */
  public void end() {
    dispatcher.checkOwner();
    publication.end();
  }

  /** How many looks were answered. Any thread. */
  public long answered() {
    return answered.sum();
  }
}
