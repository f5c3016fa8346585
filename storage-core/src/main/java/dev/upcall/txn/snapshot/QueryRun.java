package dev.upcall.txn.snapshot;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.OnBehalf;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.Query;
import dev.upcall.txn.View;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;

/**
 * One query on its way: runs again from its start each time what it lacked has come. Fails when the
 * page that it cannot go on without cannot be read; of one that was read beside it that is found
 * out if the query comes to it.
 */
public final class QueryRun<T> implements Runnable, CompletionPort<Unit>, OnBehalf {
  private final StoreContext context;
  private final Query<T> query;
  private final View view;
  private final CompletionPort<T> port;

  public QueryRun(StoreContext context, View view, Query<T> query, CompletionPort<T> port) {
    this.context = context;
    this.view = view;
    this.query = query;
    this.port = port;
  }

  @Override
  public Object whose() {
    return query;
  }

  /**
   * Looks once; completes the port in this upcall or goes to fetch a page. Must itself run as an
   * upcall.
   */
  @Override
  public void run() {
    Completion<T> completion;
    try {
      completion = query.run(view);
    } catch (PageMissing missing) {
      context.loader().load(missing.pages(), this);
      return;
    } catch (OutOfMemoryError noRoom) {
      if (context.faults().has(StoreFault.FULL_HEAP_IS_FATAL)) {
        throw new IllegalStateException("no memory for a query", noRoom);
      }
      // A query has no effect: it has only cost. Answering it waits until there is room.
      context.dispatcher().complete(port, HeapBudget.failedFull());
      return;
    }
    port.complete(completion);
  }

  @Override
  public void complete(Completion<Unit> loaded) {
    switch (loaded) {
      case Completion.Failed<Unit> failed -> port.complete(failed.cast());
      case Completion.Done<Unit> _ -> run();
    }
  }
}
