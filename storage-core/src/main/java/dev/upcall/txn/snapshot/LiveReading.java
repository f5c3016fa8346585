package dev.upcall.txn.snapshot;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.content.LeaseOwner;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.segment.PiecedContent;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeVersion;
import dev.upcall.txn.Publication;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.View;
import dev.upcall.txn.state.FrozenView;
import dev.upcall.txn.state.LiveView;
import dev.upcall.txn.state.SharedContents;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreEntrance;
import dev.upcall.txn.state.StoreFault;
import dev.upcall.txn.state.StoreState;
import org.jspecify.annotations.Nullable;

/** Reading the state as it is now, and the way in and out of requests that do not change it. */
public final class LiveReading implements ReadSource, SnapshotManager.Queries {
  private final StoreContext context;
  private final View view;
  private final StoreEntrance entrance;
  private final Publication publication;
  private final PublishedReads published;

  /** Readers that come in through an entrance. */
  public LiveReading(StoreContext context, StoreEntrance entrance) {
    this.context = context;
    this.view = new LiveView(context.state(), context.dispatcher().clock());
    this.entrance = entrance;
    this.publication = new Publication(context.state()::scn, this::present);
    this.published =
        new PublishedReads(
            publication,
            context.dispatcher(),
            new SharedContents(
                context.state(), context.buffers().shared(), context.reader().copy()));
  }

  private View present() {
    boolean broken = context.faults().has(StoreFault.EDITION_KEPT);
    return new FrozenView(
        context.state(),
        broken ? tree -> new TreeVersion(tree.root()) : Tree::publish,
        context.dispatcher().clock()::epochNanos);
  }

  @Override
  public PublishedReads published() {
    return published;
  }

  @Override
  public PublishedReads published(View held) {
    return published.at(held);
  }

  /** The state as it is now. */
  public View view() {
    return view;
  }

  @Override
  public <T> void query(Query<T> query, CompletionPort<T> port) {
    query(view, query, port);
  }

  @Override
  public <T> void query(View over, Query<T> query, CompletionPort<T> port) {
    context.dispatcher().checkOwner();
    // Allocations come first: if one fails, nothing has entered that would not leave.
    QueryRun<T> run = new QueryRun<>(context, over, query, completion -> leave(port, completion));
    Failure refusal = entrance.enter(/* changes= */ false);
    if (refusal != null) {
      context.dispatcher().complete(port, HeapBudget.failed(refusal));
      return;
    }
    context.dispatcher().post(run);
  }

  @Override
  public <T> void leave(CompletionPort<T> port, Completion<T> completion) {
    context.loader().trimSoon();
    boolean late = context.faults().has(StoreFault.TOLD_BEFORE_PUBLISHED);
    if (!late) {
      told();
    }
    port.complete(completion);
    if (late) {
      told();
    }
    entrance.leave();
  }

  @Override
  public void told() {
    publication.level();
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
      return HeapBudget.failed(refusal);
    }
    try {
      told(); // before the query hears of the state: it may keep that without memory for an answer
      return pinned(which.run(view), owner);
    } catch (PageMissing missing) {
      return null;
    } catch (OutOfMemoryError noRoom) {
      return HeapBudget.failedFull();
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
        Runnable unpin = state.pins().pin(state.scn());
        try {
          yield Completion.done(
              PiecedContent.pin(
                  context.reader(), inode, state.segments().overlay(inode.id()), owner, unpin));
        } catch (OutOfMemoryError noRoom) {
          unpin.run();
          throw noRoom;
        }
      }
    };
  }
}
