package dev.upcall.txn.checkpoint;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.pressure.Scarce;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import dev.upcall.space.Reserve;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.checkpoint.PlacingGroup.Item;
import dev.upcall.txn.state.StoreContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives unplaced content its place: many small segments side by side in one write, then changes
 * that say where they are. What is overwritten meanwhile is left for the next time, and so are
 * segments of which the inode or the layout cannot be read: the others are placed all the same.
 */
public final class WriteBack extends StateMachine<WriteBack.State> {
  /** Where write-back stands. */
  enum State {
    /** Nothing to do. */
    IDLE,
    /** The blocks of the next group are being looked for. */
    GATHERING,
    /** A group of segments is being written. */
    WRITING,
    /** The layout of a large segment is being edited. */
    EDITING,
    /** The change that names the new places is on its way. */
    COMMITTING
  }

  public static final Transitions<State> TRANSITIONS =
      Transitions.of("WriteBack", State.class, State.IDLE)
          .on("group begins", State.IDLE, State.GATHERING)
          .on("group gathered", State.GATHERING, State.WRITING)
          .on("nothing left, or no room", State.GATHERING, State.IDLE)
          .on("written", State.WRITING, State.COMMITTING)
          .on("a segment has a large layout", State.COMMITTING, State.EDITING)
          .on(
              "layout edited, cannot be read, segment changed meanwhile",
              State.EDITING,
              State.COMMITTING)
          .on("write failed", State.WRITING, State.IDLE)
          .on("edit failed", State.EDITING, State.IDLE)
          .on("committed, or failed", State.COMMITTING, State.IDLE)
          .build();

  /** A group has no more pieces; a full volume has little room that lies together. */
  private static final int MAX_PIECES = 256;

  /** There is room for a group of any size. */
  private static final int ANY_BLOCKS = Integer.MAX_VALUE;

  private final StoreContext context;
  private final LayoutBuilder.Parts layouts;
  private final Changes changes;
  private final RoundSegments segments = new RoundSegments();
  private final List<CompletionPort<Unit>> ports = new ArrayList<>();
  private final List<CompletionPort<Unit>> later = new ArrayList<>();

  /** A group with more blocks found no room in this round. */
  private int mostBlocks = ANY_BLOCKS;

  private boolean running;

  /** Why a segment was left out of this round, or null. */
  private @Nullable Failure leftOut;

  /** The way by which write-back commits. */
  public interface Changes {
    /** As {@code Store.change}, for the store's own work. */
    <T> void change(SegmentChange<T> change, CompletionPort<T> port);

    /** The same, of a change whose end nobody waits for, unless room is short. */
    <T> void changeAtLeisure(SegmentChange<T> change, CompletionPort<T> port);
  }

  public WriteBack(StoreContext context, LayoutBuilder.Parts layouts, Changes changes) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.layouts = layouts;
    this.changes = changes;
  }

  public boolean isRunning() {
    return running;
  }

  /**
   * Places what is unplaced now and completes; what is overwritten meanwhile may stay unplaced.
   * Fails with {@code VolumeFull}, {@code TooLarge} or {@code Busy} where there is no room, and
   * with {@code Device} or {@code Corrupt} when a segment was left out; all others were placed.
   */
  public void placeAll(CompletionPort<Unit> port) {
    Dispatcher dispatcher = context.dispatcher();
    // A checkpoint goes on as one, whoever has placed for it.
    CompletionPort<Unit> waiting = dispatcher.recorder().waiting(port);
    if (running) {
      later.add(waiting);
      return;
    }
    ports.add(waiting);
    running = true;
    mostBlocks = ANY_BLOCKS;
    leftOut = null;
    Invariants.check(segments.isOver(), "segments of the round before", ports.size());
    segments.begin(context.state().segments());
    dispatcher.recorder().inBackground("write-back", () -> dispatcher.post(this::next));
  }

  private void next() {
    become(State.GATHERING);
    GroupGathering.run(context, segments, mostBlocks, this::gathered);
  }

  private void gathered(GroupGathering.Gathered gathered) {
    int blocks = gathered.blocks();
    if (blocks == 0) {
      become(State.IDLE);
      Failure failure = leftOut;
      finish(failure == null ? Completion.done() : Completion.failed(failure));
      return;
    }
    // First: these blocks were promised a place, and promised blocks cannot be allocated.
    context.state().placing(blocks);
    List<Extent> extents =
        context.state().map().allocatePieces(blocks, MAX_PIECES, Reserve.EMERGENCY);
    if (!extents.isEmpty()) {
      write(PlacingGroup.of(gathered.items(), blocks, extents), gathered.buffers());
      return;
    }
    context.state().placing(-blocks);
    addAgain(gathered.items());
    gathered.release();
    become(State.IDLE);
    if (context.space().mayGrow()) {
      context.space().grow(blocks, grown -> next());
    } else {
      noRoom(blocks, context.space().full(blocks));
    }
  }

  /** Tries with fewer blocks at once, or gives up. */
  private void noRoom(int blocks, Failure failure) {
    if (mostBlocks > 1) {
      mostBlocks = Math.max(1, Math.min(mostBlocks, blocks) / 4);
      context.dispatcher().schedule(0, this::next);
    } else {
      segments.clear();
      finish(Completion.failed(failure));
    }
  }

  /** The segments of these items come first again. */
  private void addAgain(List<Item> items) {
    for (Item item : items.reversed()) {
      segments.addFirst(item.segment());
    }
  }

  private void write(PlacingGroup group, List<ByteBuffer> buffers) {
    become(State.WRITING);
    if (context.faults().has(EditFault.EDIT_LOST_BY_WRITE_BACK)) {
      group.bySegment().forEach(items -> remember(items.getFirst().segment(), group));
    }
    context
        .placer()
        .writeByTurns(
            new ContentPlacer.Blocks(buffers, group.blocks()),
            group.extents(),
            TurnShare.pace(context),
            group.named(),
            completion -> written(group, completion));
  }

  /** In a store that is broken on purpose: what a segment is now will be put back. */
  private void remember(long segment, PlacingGroup group) {
    changes.<Unit>change(
        (view, out) -> {
          Inode inode = view.inode(segment);
          if (inode != null && inode.layout() instanceof Layout.Pieced) {
            group.putBack().put(segment, inode);
          }
          return Completion.done();
        },
        completion -> {});
  }

  private void written(PlacingGroup group, Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit> failed) {
      endGroup(group, Completion.failed(failed.failure()));
      return;
    }
    // Named only when written: the record's checksums are of what lies there, and the log's sync
    // covers only writes that have ended.
    become(State.COMMITTING);
    PlaceNaming.start(context, changes, group, (large, named) -> named(group, large, named));
  }

  private void named(PlacingGroup group, List<Long> large, Completion<Unit> completion) {
    if (completion instanceof Completion.Done<Unit>) {
      editLarge(group, large);
    } else if (isUnreadable(completion)) {
      findUnreadable(group, ((Completion.Failed<Unit>) completion).failure());
      endGroup(group, Completion.done());
    } else {
      endGroup(group, completion);
    }
  }

  /** Whether something that names the places of content cannot be read. */
  private static boolean isUnreadable(Completion<?> completion) {
    return completion instanceof Completion.Failed<?>(Failure failure)
        && (failure instanceof Failure.Device || failure instanceof Failure.Corrupt);
  }

  /** A group cannot be committed for the sake of one segment: from now on each is one. */
  private void findUnreadable(PlacingGroup group, Failure failure) {
    long first = group.items().getFirst().segment();
    if (first == group.items().getLast().segment()) {
      leaveOut(first, failure);
    } else {
      addAgain(group.items());
      mostBlocks = 1;
    }
  }

  private void leaveOut(long segment, Failure failure) {
    leftOut = failure;
    segments.leaveOut(segment);
  }

  private void editLarge(PlacingGroup group, List<Long> large) {
    if (large.isEmpty()) {
      endGroup(group, Completion.done());
      return;
    }
    become(State.EDITING);
    long segment = large.removeFirst();
    List<Item> items = new ArrayList<>();
    for (Item item : group.items()) {
      if (item.segment() == segment) {
        items.add(item);
      }
    }
    changes.<Layout>change(
        (view, out) -> {
          Inode inode = view.inode(segment);
          return inode == null
              ? Completion.failed(new Failure.NotFound("segment " + segment))
              : Completion.done(inode.layout());
        },
        found -> {
          if (found instanceof Completion.Failed<Layout>(Failure failure)) {
            if (isUnreadable(found)) {
              leaveOut(segment, failure);
            } else if (!(failure instanceof Failure.NotFound)) {
              endGroup(group, Completion.failed(failure));
              return;
            }
          }
          List<Item> current = group.current(items, context.state().segments());
          if (!(found instanceof Completion.Done<Layout> base) || current.isEmpty()) {
            become(State.COMMITTING);
            editLarge(group, large);
            return;
          }
          LayoutEditor.editUnwaiting(
              layouts,
              context.loader(),
              base.value(),
              group.edit(current),
              edited -> commitLarge(group, large, current, base.value(), edited));
        });
  }

  private void commitLarge(
      PlacingGroup group,
      List<Long> large,
      List<Item> items,
      Layout base,
      Completion<LayoutEditor.Edited> edited) {
    if (isUnreadable(edited)) {
      leaveOut(items.getFirst().segment(), ((Completion.Failed<?>) edited).failure());
      become(State.COMMITTING);
      editLarge(group, large);
      return;
    }
    if (!(edited instanceof Completion.Done<LayoutEditor.Edited> done)) {
      endGroup(group, Completion.failed(((Completion.Failed<?>) edited).failure()));
      return;
    }
    become(State.COMMITTING);
    LayoutEditor.Edited result = done.value();
    changes.<Boolean>change(
        (view, out) -> {
          Inode inode = view.inode(items.getFirst().segment());
          // Asked in the change's own upcall: the edit has waited, and a write may have come first.
          // Or its content was edited, and has another map now: that stays, if there is room.
          if (inode == null
              || !LayoutEditor.isSame(inode.layout(), base)
              || !InodeCodec.isFitting(Layout.of(inode.layout().pieces(), result.layout()))
              || group.current(items, context.state().segments()).size() < items.size()) {
            return Completion.done(false);
          }
          group.name(items, inode, result, /* synced= */ false, out);
          return Completion.done(true);
        },
        committed -> {
          if (!group.isPlaced(items.getFirst())) {
            List<Extent> pages = new ArrayList<>();
            for (Staged.NamedBlocks page : result.pages()) {
              pages.add(page.extent());
            }
            context.space().giveBack(pages);
          }
          if (committed instanceof Completion.Failed<Boolean> failed) {
            endGroup(group, failed.cast());
          } else {
            editLarge(group, large);
          }
        });
  }

  private void endGroup(PlacingGroup group, Completion<Unit> completion) {
    GroupRelease.run(context, group, unused -> released(group, unused, completion));
  }

  private void released(PlacingGroup group, List<Extent> unused, Completion<Unit> completion) {
    // Promised again before anything comes back: giving back wakes those who wait for room.
    context.state().placing(-group.blocks());
    context.space().giveBack(unused);
    context.pressure().changed(Scarce.UNPLACED);
    become(State.IDLE);
    if (!(completion instanceof Completion.Failed<Unit>(Failure failure))) {
      context.dispatcher().schedule(0, this::next);
    } else if (failure instanceof Failure.VolumeFull || failure instanceof Failure.TooLarge) {
      addAgain(group.items());
      noRoom(group.blocks(), failure);
    } else {
      segments.clear();
      finish(completion);
    }
  }

  private void finish(Completion<Unit> completion) {
    Invariants.check(running, "end of a round that nobody began", ports.size());
    Invariants.check(state() == State.IDLE, "end of a round within a group", state());
    Invariants.check(segments.isOver(), "segments that the round has not reached", ports.size());
    running = false;
    List<CompletionPort<Unit>> done = List.copyOf(ports);
    ports.clear();
    List<CompletionPort<Unit>> again = List.copyOf(later);
    later.clear();
    // They came while this round was under way, which may have passed what they want placed.
    for (CompletionPort<Unit> port : again) {
      placeAll(port);
    }
    for (CompletionPort<Unit> port : done) {
      port.complete(completion);
    }
  }
}
