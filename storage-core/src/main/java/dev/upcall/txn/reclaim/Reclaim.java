package dev.upcall.txn.reclaim;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.WriteBack;
import dev.upcall.txn.state.StoreContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Frees the content of segments that were removed or replaced, where one change cannot: a bounded
 * piece with each change, so that neither the log nor anybody else waits for it. What clones share
 * is left to them.
 *
 * <p>Of an extent tree, how far it is stands in the orphan's size ({@link ReclaimPass}). Of a few
 * extents that clones share in part, a change takes one and leaves the others to the orphan. Of a
 * table it removes some entries. An orphan that is damaged stays, and keeps no other one waiting.
 */
public final class Reclaim extends StateMachine<Reclaim.State> {
  /** Where reclaiming stands. */
  enum State {
    /** No orphan is known. */
    IDLE,
    /** A piece is being freed. */
    FREEING
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("Reclaim", State.class, State.IDLE)
          .on("there may be an orphan", State.IDLE, State.FREEING)
          .on("none is left, or it cannot be read", State.FREEING, State.IDLE)
          .build();

  /**
   * About so many extents are freed, or entries of a table removed, by one change, that is, in one
   * upcall.
   */
  private static final int EXTENTS_PER_CHANGE = 64;

  /** Pieces that are still freed when the store closes; the next opening goes on. */
  private static final int CLOSING_PIECES = 2048;

  /** Marks an orphan that somebody else reclaims. */
  private static final int SMALLEST_INODE_BYTES = 16;

  /** Damaged orphans that are passed over; behind so many nothing is freed any more. */
  private static final int MOST_DAMAGED = 1024;

  private final StoreContext context;
  private final WriteBack.Changes changes;
  private int extentsPerChange = EXTENTS_PER_CHANGE;
  private final Set<Long> damaged = new TreeSet<>();
  private long present;
  private boolean again;
  private @Nullable Runnable whenOver;
  private int closingPieces;
  private boolean closed;

  public Reclaim(StoreContext context, WriteBack.Changes changes) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.changes = changes;
  }

  /** Looks for orphans, soon. */
  public void start() {
    if (closed) {
      return;
    }
    if (state() == State.FREEING) {
      again = true;
      return;
    }
    extentsPerChange = EXTENTS_PER_CHANGE;
    Dispatcher dispatcher = context.dispatcher();
    dispatcher
        .recorder()
        .inBackground(
            "reclaim",
            () -> {
              become(State.FREEING);
              dispatcher.post(this::next);
            });
  }

  /** Goes on for a bounded while, then tells that it is over: while the store closes. */
  public void finish(Runnable over) {
    if (state() == State.IDLE) {
      closed = true;
      context.dispatcher().post(over);
    } else {
      whenOver = over;
    }
  }

  private void next() {
    again = false;
    changes.<Boolean>change(this::plan, this::freed);
  }

  private void freed(Completion<Boolean> completion) {
    Runnable over = whenOver;
    if (completion instanceof Completion.Failed<Boolean>(Failure failure)
        && (failure instanceof Failure.TooLarge
            || failure instanceof Failure.VolumeFull
            || failure instanceof Failure.Corrupt)
        && extentsPerChange > 1) {
      // Shared blocks take more of a record, and of a full volume's reserve, than others; and
      // entries that stand before something damaged can still go.
      extentsPerChange = Math.max(1, extentsPerChange / 4);
      context.dispatcher().post(this::next);
      return;
    }
    if (completion instanceof Completion.Failed<Boolean>(Failure failure)
        && failure instanceof Failure.Corrupt
        && damaged.size() < MOST_DAMAGED
        && damaged.add(present)) {
      extentsPerChange = EXTENTS_PER_CHANGE;
      context.dispatcher().post(this::next);
      return;
    }
    if (completion instanceof Completion.Done<Boolean> done
        && (done.value() || again)
        && (over == null || closingPieces++ < CLOSING_PIECES)) {
      context.dispatcher().post(this::next);
      return;
    }
    become(State.IDLE);
    if (over != null) {
      closed = true;
      over.run();
    }
  }

  /** Frees one piece of the first orphan; false if there is none. */
  private Completion<Boolean> plan(View view, SegmentMutations out) {
    View.Scan scan = view.from(StoreTree.ORPHANS, new byte[0]);
    while (scan.next()) {
      present = TreeKeys.id(scan.key());
      if (damaged.contains(present)) {
        continue;
      }
      if (TableEntries.isOrphan(scan.value())) {
        return removeEntries(view, TreeKeys.id(scan.key()), out);
      }
      if (scan.value().length >= SMALLEST_INODE_BYTES) {
        long id = TreeKeys.id(scan.key());
        Inode orphan = InodeCodec.decode(id, scan.value());
        out.allowEmergencySpace();
        return switch (orphan.layout()) {
          case Layout.Indexed indexed ->
              free(
                  orphan,
                  Invariants.present(context.layouts().tree(indexed).root(), "orphan's root"),
                  ReclaimPass.Of.CONTENT,
                  out);
          case Layout.Unmapped(PageRef root) ->
              free(orphan, context.layouts().maps().root(root), ReclaimPass.Of.PIECES, out);
          case Layout.Extents extents -> free(orphan, extents, out);
          case Layout.Inline _, Layout.Pieced _ ->
              Completion.failed(new Failure.Invalid("orphan " + id + " is no orphan"));
        };
      }
    }
    return Completion.done(false);
  }

  /** Nobody sees them any more. Content goes with its entry, and so exactly once. */
  private Completion<Boolean> removeEntries(View view, long table, SegmentMutations out) {
    out.allowEmergencySpace();
    View.Scan entries =
        view.from(StoreTree.ENTRIES, TableEntries.countKey(table)).to(TableEntries.endKey(table));
    List<Long> contents = new ArrayList<>();
    int removed = 0;
    boolean more = true;
    // Looks at nothing behind the last one that is removed: the page may be lost.
    while (more && removed < extentsPerChange) {
      more = entries.next() && TableEntries.table(entries.key()) == table;
      if (more) {
        if (TableEntries.isContent(entries.value())
            && TableEntries.value(entries.value()) instanceof TableEntries.Value.Content content) {
          contents.add(content.segment());
        }
        out.remove(StoreTree.ENTRIES, entries.key());
        removed++;
      }
    }
    removeSegments(view, contents.stream().mapToLong(Long::longValue).toArray(), out);
    if (!more) {
      out.remove(StoreTree.ORPHANS, TreeKeys.of(table));
    }
    return Completion.done(true);
  }

  private static void removeSegments(View view, long[] ids, SegmentMutations out) {
    @Nullable Inode[] inodes = new Inode[ids.length];
    view.inodes(ids, inodes);
    for (Inode inode : inodes) {
      if (inode != null) {
        out.removeSegment(inode);
      }
    }
  }

  private static Completion<Boolean> free(
      Inode orphan, Layout.Extents layout, SegmentMutations out) {
    List<ExtentEntry> rest = new ArrayList<>(layout.entries());
    ExtentEntry first = rest.removeFirst();
    Extent piece = out.firstPiece(first.extent());
    Invariants.check(piece.block() == first.extent().block(), "not the first piece", piece);
    Invariants.check(piece.end() <= first.extent().end(), "piece of another extent", piece);
    if (piece.blocks() < first.extent().blocks()) {
      rest.addFirst(first.slice(first.logicalBlock() + piece.blocks(), first.logicalEnd()));
    }
    // Freed and forgotten by one change: after a crash between two it would be freed again.
    byte[] key = TreeKeys.of(orphan.id());
    if (rest.isEmpty()) {
      out.remove(StoreTree.ORPHANS, key);
    } else {
      Layout left = new Layout.Extents(rest);
      out.put(StoreTree.ORPHANS, key, InodeCodec.encode(orphan.withContent(0, left)));
    }
    out.free(List.of(piece));
    return Completion.done(true);
  }

  private Completion<Boolean> free(
      Inode orphan, PageRef root, ReclaimPass.Of kind, SegmentMutations out) {
    ReclaimPass pass = new ReclaimPass(out, kind, orphan.size(), extentsPerChange);
    byte[] key = TreeKeys.of(orphan.id());
    // The pass frees by this change too, which keeps how far it came.
    if (pass.run(root)) {
      out.remove(StoreTree.ORPHANS, key);
    } else {
      Invariants.check(
          pass.progress() >= orphan.size(), "freed again", pass.progress(), orphan.size());
      Inode left = orphan.withContent(pass.progress(), orphan.layout());
      out.put(StoreTree.ORPHANS, key, InodeCodec.encode(left));
    }
    return Completion.done(true);
  }
}
