package dev.upcall.txn.state;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.Query;
import dev.upcall.txn.View;

/** One query on its way: runs again from its start each time a page that it lacked has come. */
public final class QueryRun<T> implements Runnable, CompletionPort<Unit> {
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
      context.loader().load(missing.page(), this);
      return;
    }
    port.complete(completion);
  }

  @Override
  public void complete(Completion<Unit> loaded) {
    switch (loaded) {
      case Completion.Failed<Unit> failed -> port.complete(failed.cast());
      case Completion.Done<Unit> done -> run();
    }
  }
}
