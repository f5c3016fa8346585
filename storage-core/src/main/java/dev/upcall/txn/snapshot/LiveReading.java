package dev.upcall.txn.snapshot;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.Content;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.Query;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.View;
import dev.upcall.txn.state.LiveView;
import dev.upcall.txn.state.QueryRun;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreEntrance;
import dev.upcall.txn.state.StoreState;
import org.jspecify.annotations.Nullable;

/** Reading the state as it is now, and the way in and out of requests that do not change it. */
public final class LiveReading implements ReadSource {
  private final StoreContext context;
  private final View view;
  private final StoreEntrance entrance;

  /** Readers that come in through an entrance. */
  public LiveReading(StoreContext context, StoreEntrance entrance) {
    this.context = context;
    this.view = new LiveView(context.state(), context.dispatcher().clock());
    this.entrance = entrance;
  }

  /** The state as it is now. */
  public View view() {
    return view;
  }

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    query(view, query, port);
  }

  /** Answers a query on another state. */
  public <T> void query(View over, Query<T> query, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    Failure refusal = entrance.enter(/* changes= */ false);
    if (refusal != null) {
      context.dispatcher().complete(port, Completion.failed(refusal));
      return;
    }
    QueryRun<T> run = new QueryRun<>(context, over, query, completion -> leave(port, completion));
    context.dispatcher().post(run);
  }

  /** A request that was let in is answered. */
  public <T> void leave(CompletionPort<T> port, Completion<T> completion) {
    context.loader().trimSoon();
    port.complete(completion);
    entrance.leave();
  }

  @Override
  public void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port) {
    query(seen -> pinned(which.run(seen), owner), port);
  }

  @Override
  public @Nullable Completion<PinnedContent> tryPin(Query<Inode> which, LeaseOwner owner) {
    context.dispatcher().checkOwner();
    Failure refusal = entrance.enter(/* changes= */ false);
    if (refusal != null) {
      return Completion.failed(refusal);
    }
    try {
      return pinned(which.run(view), owner);
    } catch (PageMissing missing) {
      return null;
    } finally {
      entrance.leave();
    }
  }

  /** The last step of a run that will be delivered: nothing that it looked at was missing. */
  private Completion<PinnedContent> pinned(Completion<Inode> found, LeaseOwner owner) {
    return switch (found) {
      case Completion.Failed<Inode> failed -> failed.cast();
      case Completion.Done<Inode>(Inode inode) -> {
        StoreState state = context.state();
        yield Completion.done(
            new Content(
                context.reader(),
                inode,
                state.segments().overlay(inode.id()),
                owner,
                state.pins().pin(state.scn())));
      }
    };
  }
}
