package dev.upcall.txn.snapshot;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.OnBehalf;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.Query;
import dev.upcall.txn.View;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
  private @Nullable PageRef needed;

  /** Memory is too small for more than one page at a time. */
  private boolean alone;

  private int coming;
  private Completion.@Nullable Failed<Unit> failed;

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
      load(missing);
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

  private void load(PageMissing missing) {
    List<PageRef> pages = alone ? List.of(missing.page()) : missing.pages();
    coming = pages.size();
    needed = pages.getFirst();
    context.loader().load(needed, this);
    for (PageRef beside : pages.subList(1, pages.size())) {
      context.loader().load(beside, tried -> came());
    }
  }

  @Override
  public void complete(Completion<Unit> loaded) {
    if (loaded instanceof Completion.Failed<Unit> failure) {
      failed = failure;
    }
    came();
  }

  private void came() {
    coming--;
    if (coming > 0) {
      return;
    }
    if (failed != null) {
      port.complete(failed.cast());
      return;
    }
    // Evicted again while others came? One that comes alone is there in the upcall of its coming.
    alone |= !Invariants.present(needed, "a page that is needed").isResident();
    run();
  }
}
