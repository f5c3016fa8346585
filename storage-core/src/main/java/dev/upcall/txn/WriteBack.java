package dev.upcall.txn;

import dev.upcall.buffer.Lease;
import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.StateMachine;
import dev.upcall.fsm.Transitions;
import dev.upcall.fsm.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.ExtentEntry;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Layout;
import dev.upcall.segment.LayoutBuilder;
import dev.upcall.segment.LayoutEditor;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.Staged;
import dev.upcall.space.Extent;
import dev.upcall.space.Reserve;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives unplaced content its place: many small segments side by side in one write, then one change
 * that says where they are. What is overwritten meanwhile is left for the next time.
 */
final class WriteBack extends StateMachine<WriteBack.State> {
  /** Where write-back stands. */
  enum State {
    /** Nothing to do. */
    IDLE,
    /** A group of segments is being written. */
    WRITING,
    /** The layout of a large segment is being edited. */
    EDITING,
    /** The change that names the new places is on its way. */
    COMMITTING
  }

  static final Transitions<State> TRANSITIONS =
      Transitions.of("WriteBack", State.class, State.IDLE)
          .on("group gathered", State.IDLE, State.WRITING)
          .on("written", State.WRITING, State.COMMITTING)
          .on("a segment has a large layout", State.COMMITTING, State.EDITING)
          .on("layout edited, segment changed meanwhile", State.EDITING, State.COMMITTING)
          .on("write failed", State.WRITING, State.IDLE)
          .on("edit failed", State.EDITING, State.IDLE)
          .on("committed, or failed", State.COMMITTING, State.IDLE)
          .build();

  private static final int GROUP_BLOCKS = 256;
  private static final int MAX_PIECES = 64;

  private final StoreContext context;
  private final LayoutBuilder.Parts layouts;
  private final Changes changes;
  private final ArrayDeque<Long> segments = new ArrayDeque<>();
  private final List<CompletionPort<Unit>> ports = new ArrayList<>();
  private final List<CompletionPort<Unit>> later = new ArrayList<>();
  private int groupBlocks = GROUP_BLOCKS;
  private boolean running;

  /** The way by which write-back commits. */
  interface Changes {
    /** As {@code Store.change}, for the store's own work. */
    <T> void change(SegmentChange<T> change, CompletionPort<T> port);
  }

  WriteBack(StoreContext context, LayoutBuilder.Parts layouts, Changes changes) {
    super(TRANSITIONS, context.dispatcher());
    this.context = context;
    this.layouts = layouts;
    this.changes = changes;
  }

  boolean isRunning() {
    return running;
  }

  /** Places what is unplaced now and completes; what is overwritten meanwhile may stay unplaced. */
  void placeAll(CompletionPort<Unit> port) {
    if (running) {
      later.add(port);
      return;
    }
    ports.add(port);
    running = true;
    groupBlocks = GROUP_BLOCKS;
    segments.addAll(context.state().segments().all().keySet());
    context.dispatcher().post(this::next);
  }

  /** A part that is being placed; its lease is retained as long. */
  private record Item(long segment, Overlay.Part part, int firstBlock) {}

  /** A group on its way: blocks [0, blocks), in the order of the items. */
  private record Group(
      List<Item> items, int blocks, List<Extent> extents, List<Staged.NamedBlocks> named) {
    /** The entries of an item: one for each extent that it touches. */
    List<ExtentEntry> entries(Item item) {
      List<ExtentEntry> entries = new ArrayList<>(1);
      long at = 0;
      long from = item.firstBlock();
      long to = from + item.part().blocks();
      for (Staged.NamedBlocks run : named) {
        long end = at + run.extent().blocks();
        long start = Math.max(from, at);
        long stop = Math.min(to, end);
        if (start < stop) {
          ExtentEntry whole = new ExtentEntry(at, run.extent(), run.checksums());
          ExtentEntry slice = whole.slice(start, stop);
          entries.add(
              new ExtentEntry(
                  item.part().block() + start - from, slice.extent(), slice.checksums()));
        }
        at = end;
      }
      return entries;
    }
  }

  private void next() {
    List<Item> items = gather();
    if (items.isEmpty()) {
      finish(Completion.done());
      return;
    }
    int blocks = items.getLast().firstBlock() + items.getLast().part().blocks();
    context.state().placing(blocks);
    List<Extent> extents =
        context.state().map().allocatePieces(blocks, MAX_PIECES, Reserve.EMERGENCY);
    if (!extents.isEmpty()) {
      for (Item item : items) {
        item.part().lease().retain();
      }
      write(new Group(items, blocks, extents, new ArrayList<>()));
      return;
    }
    context.state().placing(-blocks);
    addAgain(items);
    if (context.space().mayGrow()) {
      context.space().grow(blocks, grown -> next());
    } else {
      noRoom(context.space().full(blocks));
    }
  }

  /** Tries with fewer blocks at once, or gives up. */
  private void noRoom(Failure failure) {
    if (groupBlocks > 1) {
      groupBlocks /= 4;
      context.dispatcher().post(this::next);
    } else {
      segments.clear();
      finish(Completion.failed(failure));
    }
  }

  /** The segments of these items come first again. */
  private void addAgain(List<Item> items) {
    for (Item item : items.reversed()) {
      if (segments.isEmpty() || segments.getFirst() != item.segment()) {
        segments.addFirst(item.segment());
      }
    }
  }

  private void write(Group group) {
    become(State.WRITING);
    List<ByteBuffer> buffers = new ArrayList<>(group.items().size());
    for (Item item : group.items()) {
      Overlay.Part part = item.part();
      ByteBuffer buffer = part.lease().buffer();
      buffers.add(
          buffer.slice(
              buffer.position() + part.leaseBlock() * Disk.BLOCK_BYTES,
              part.blocks() * Disk.BLOCK_BYTES));
    }
    context
        .placer()
        .write(
            new ContentPlacer.Blocks(buffers, group.blocks()),
            group.extents(),
            IoClass.BACKGROUND,
            group.named(),
            completion -> written(group, completion));
  }

  /**
   * The next blocks that fit one write: a few small segments, or a part of one with a large layout.
   */
  private List<Item> gather() {
    List<Item> items = new ArrayList<>();
    int blocks = 0;
    while (!segments.isEmpty() && blocks < groupBlocks) {
      long segment = segments.getFirst();
      boolean whole = true;
      for (Overlay.Part part : context.state().segments().overlay(segment).parts()) {
        if (blocks + part.blocks() > groupBlocks && !items.isEmpty()) {
          whole = false;
          break;
        }
        items.add(new Item(segment, part, blocks));
        blocks += part.blocks();
      }
      if (!whole) {
        break;
      }
      segments.removeFirst();
    }
    return items;
  }

  private void written(Group group, Completion<Unit> completion) {
    if (completion instanceof Completion.Failed<Unit> failed) {
      endGroup(group, List.of(), Completion.failed(failed.failure()));
      return;
    }
    become(State.COMMITTING);
    List<Item> placed = new ArrayList<>();
    List<Long> large = new ArrayList<>();
    changes.<Unit>change(
        (view, out) -> {
          large.clear();
          int i = 0;
          List<Item> items = group.items();
          while (i < items.size()) {
            int end = i;
            while (end < items.size() && items.get(end).segment() == items.get(i).segment()) {
              end++;
            }
            plan(view, out, group, items.subList(i, end), placed, large);
            i = end;
          }
          return Completion.done(Unit.UNIT);
        },
        committed -> {
          if (committed instanceof Completion.Done<Unit> && !large.isEmpty()) {
            editLarge(group, placed, large);
          } else {
            endGroup(group, placed, committed);
          }
        });
  }

  /** Plans one segment's items; those of a segment whose layout needs a tree are left for later. */
  private void plan(
      View view,
      SegmentMutations out,
      Group group,
      List<Item> items,
      List<Item> placed,
      List<Long> large) {
    long segment = items.getFirst().segment();
    Inode inode = view.inode(segment);
    List<Item> current = current(items);
    if (inode == null || current.isEmpty()) {
      return;
    }
    LayoutEditor.Edited edited = LayoutEditor.editSmall(inode.layout(), edit(group, current));
    if (edited == null) {
      large.add(segment);
      return;
    }
    commit(out, inode, edited, group, current);
    out.onApplied(() -> placed.addAll(current));
  }

  private LayoutEditor.Edit edit(Group group, List<Item> items) {
    List<LayoutEditor.Range> removed = new ArrayList<>();
    List<ExtentEntry> added = new ArrayList<>();
    for (Item item : items) {
      removed.add(new LayoutEditor.Range(item.part().block(), item.part().end()));
      added.addAll(group.entries(item));
    }
    return new LayoutEditor.Edit(removed, added);
  }

  private void commit(
      SegmentMutations out,
      Inode inode,
      LayoutEditor.Edited edited,
      Group group,
      List<Item> items) {
    out.allowEmergencySpace();
    out.setInode(inode.withContent(inode.size(), edited.layout()));
    for (Item item : items) {
      for (ExtentEntry entry : group.entries(item)) {
        out.allocate(SegmentMutations.named(entry));
      }
      out.drop(item.segment(), item.part().block(), item.part().end());
      out.onApplied(() -> publish(group, item));
    }
    for (Staged.NamedBlocks pages : edited.pages()) {
      out.allocate(pages);
    }
    out.free(edited);
  }

  /** The frame now holds what is at its place: readers find it there. */
  private void publish(Group group, Item item) {
    List<ExtentEntry> entries = group.entries(item);
    Overlay.Part part = item.part();
    boolean whole = part.leaseBlock() == 0 && part.blocks() == part.lease().blocks();
    // A clone that shares the frame may have been placed before.
    if (entries.size() == 1 && whole && part.lease().firstBlock() < 0) {
      part.lease().publish(entries.getFirst().extent().block());
    }
  }

  /** The items whose part is still exactly what the segment's overlay has there. */
  private List<Item> current(List<Item> items) {
    List<Item> current = new ArrayList<>(items.size());
    for (Item item : items) {
      Overlay.Part now =
          context.state().segments().overlay(item.segment()).ceiling(item.part().block());
      if (item.part().equals(now)) {
        current.add(item);
      }
    }
    return current;
  }

  private void editLarge(Group group, List<Item> placed, List<Long> large) {
    if (large.isEmpty()) {
      endGroup(group, placed, Completion.done());
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
          if (found instanceof Completion.Failed<Layout> failed
              && !(failed.failure() instanceof Failure.NotFound)) {
            endGroup(group, placed, failed.cast());
            return;
          }
          List<Item> current = current(items);
          if (!(found instanceof Completion.Done<Layout> base) || current.isEmpty()) {
            become(State.COMMITTING);
            editLarge(group, placed, large);
            return;
          }
          LayoutEditor.editUnwaiting(
              layouts,
              context.loader(),
              base.value(),
              edit(group, current),
              edited -> commitLarge(group, placed, large, current, base.value(), edited));
        });
  }

  private void commitLarge(
      Group group,
      List<Item> placed,
      List<Long> large,
      List<Item> items,
      Layout base,
      Completion<LayoutEditor.Edited> edited) {
    if (!(edited instanceof Completion.Done<LayoutEditor.Edited> done)) {
      endGroup(group, placed, Completion.failed(((Completion.Failed<?>) edited).failure()));
      return;
    }
    become(State.COMMITTING);
    LayoutEditor.Edited result = done.value();
    changes.<Boolean>change(
        (view, out) -> {
          Inode inode = view.inode(items.getFirst().segment());
          if (inode == null
              || !LayoutEditor.isSame(inode.layout(), base)
              || current(items).size() < items.size()) {
            return Completion.done(false);
          }
          commit(out, inode, result, group, items);
          out.onApplied(() -> placed.addAll(items));
          return Completion.done(true);
        },
        committed -> {
          if (!placed.containsAll(items)) {
            List<Extent> pages = new ArrayList<>();
            for (Staged.NamedBlocks page : result.pages()) {
              pages.add(page.extent());
            }
            context.space().giveBack(pages);
          }
          if (committed instanceof Completion.Failed<Boolean> failed) {
            endGroup(group, placed, failed.cast());
          } else {
            editLarge(group, placed, large);
          }
        });
  }

  private void endGroup(Group group, List<Item> placed, Completion<Unit> completion) {
    List<Extent> unused = new ArrayList<>();
    for (Item item : group.items()) {
      Lease lease = item.part().lease();
      lease.release();
      if (!placed.contains(item)) {
        for (ExtentEntry entry : group.entries(item)) {
          unused.add(entry.extent());
        }
      }
    }
    context.state().placing(-group.blocks());
    context.space().giveBack(unused);
    become(State.IDLE);
    if (!(completion instanceof Completion.Failed<Unit>(Failure failure))) {
      context.dispatcher().post(this::next);
    } else if (failure instanceof Failure.VolumeFull || failure instanceof Failure.TooLarge) {
      addAgain(group.items());
      noRoom(failure);
    } else {
      segments.clear();
      finish(completion);
    }
  }

  private void finish(Completion<Unit> completion) {
    running = false;
    List<CompletionPort<Unit>> done = List.copyOf(ports);
    ports.clear();
    List<CompletionPort<Unit>> again = List.copyOf(later);
    later.clear();
    for (CompletionPort<Unit> port : again) {
      placeAll(port);
    }
    for (CompletionPort<Unit> port : done) {
      port.complete(completion);
    }
  }
}
