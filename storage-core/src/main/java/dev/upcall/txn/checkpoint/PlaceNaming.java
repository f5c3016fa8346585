package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.PlacingGroup.Item;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import java.util.ArrayList;
import java.util.List;

/**
 * Names the new places of a group's segments in several changes. The first one goes alone: when it
 * is durable, the log has synced all that the group wrote, and what the others name is durable
 * before them. They follow one in a turn of the dispatcher, so that others have theirs in between;
 * the log makes several durable with one write.
 */
final class PlaceNaming {
  /** So many segments at least are named by one change, that is, in one upcall. */
  private static final int CALM_SEGMENTS = 8;

  /** And so many when somebody waits. */
  private static final int URGENT_SEGMENTS = 16;

  /** And at most: each takes some microseconds, and who waits for a commit waits too. */
  private static final int MOST_SEGMENTS = 64;

  /** So many for each change made since the last one. */
  private static final int SEGMENTS_A_CHANGE = 4;

  private final StoreContext context;
  private final WriteBack.Changes changes;
  private final PlacingGroup group;
  private final End end;
  private final List<List<Item>> segments;
  private final TurnShare share;
  private final List<Long> large = new ArrayList<>();
  private Completion<Unit> result = Completion.done();
  private int begun;
  private int underWay;

  /** Whether the log has synced what the group wrote. */
  private boolean synced;

  /** Hears the end. */
  interface End {
    /**
     * All changes that were begun have ended.
     *
     * @param large segments that were left for later, since their layout needs a tree
     * @param completion the failure of a change, after which no other was begun
     */
    void ended(List<Long> large, Completion<Unit> completion);
  }

  private PlaceNaming(
      StoreContext context, WriteBack.Changes changes, PlacingGroup group, End end) {
    this.context = context;
    this.changes = changes;
    this.group = group;
    this.end = end;
    this.segments = group.bySegment();
    this.share = new TurnShare(context, SEGMENTS_A_CHANGE, MOST_SEGMENTS);
    this.synced = context.faults().has(StoreFault.PLACES_TAKEN_FOR_SYNCED);
  }

  /** Names the places of what is still as it was when it was written. */
  static void start(StoreContext context, WriteBack.Changes changes, PlacingGroup group, End end) {
    new PlaceNaming(context, changes, group, end).next();
  }

  private void next() {
    int from = begun;
    int least = context.pressure().isUrgent() ? URGENT_SEGMENTS : CALM_SEGMENTS;
    begun = Math.min(segments.size(), from + share.next(least));
    List<List<Item>> few = segments.subList(from, begun);
    Names names = new Names();
    underWay++;
    changes.<Unit>changeAtLeisure(
        (view, out) -> {
          names.clear();
          for (List<Item> items : few) {
            plan(view, out, items, names);
          }
          return Completion.done(Unit.UNIT);
        },
        completion -> changed(names, completion));
    if (synced) {
      scheduleRest();
    }
  }

  private void scheduleRest() {
    if (begun < segments.size()) {
      underWay++;
      context.dispatcher().schedule(0, this::goOn);
    }
  }

  private void plan(View view, SegmentMutations out, List<Item> items, Names names) {
    long segment = items.getFirst().segment();
    Inode inode = view.inode(segment);
    // Looked up in the change's upcall: what was overwritten since must not come back by its place.
    List<Item> current = group.current(items, context.state().segments());
    if (inode == null || current.isEmpty()) {
      return;
    }
    LayoutEditor.Edited edited = LayoutEditor.editSmall(inode.layout(), group.edit(current));
    if (edited == null) {
      names.large.add(segment);
    } else {
      group.name(current, inode, edited, synced, out);
      names.any = true;
    }
  }

  /** The rest, unless something has failed by now. */
  private void goOn() {
    underWay--;
    Invariants.check(underWay >= 0, "turns that ended twice", underWay);
    if (result instanceof Completion.Done<Unit>) {
      next();
    } else {
      endIfLast();
    }
  }

  private void changed(Names names, Completion<Unit> completion) {
    underWay--;
    Invariants.check(underWay >= 0, "changes that ended twice", underWay);
    large.addAll(names.large);
    if (completion instanceof Completion.Failed<Unit>) {
      result = completion;
    } else if (!synced) {
      synced = names.any;
      scheduleRest();
    }
    endIfLast();
  }

  private void endIfLast() {
    // Not at the first failure: what the others name must not be given back under them.
    if (underWay == 0) {
      Invariants.check(
          begun == segments.size() || result instanceof Completion.Failed<Unit>,
          "segments without a change",
          begun,
          segments.size());
      end.ended(large, result);
    }
  }

  /** What one change has named, as of the last time it was planned. */
  private static final class Names {
    private final List<Long> large = new ArrayList<>();
    private boolean any;

    private void clear() {
      large.clear();
      any = false;
    }
  }
}
