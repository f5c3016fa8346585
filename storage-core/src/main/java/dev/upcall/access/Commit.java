package dev.upcall.access;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ExtentEntry;
import dev.upcall.segment.Inode;
import dev.upcall.segment.Layout;
import dev.upcall.segment.LayoutEditor;
import dev.upcall.segment.Staged;
import dev.upcall.space.Extent;
import dev.upcall.txn.Durability;
import dev.upcall.txn.SegmentAccess;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes what a handle collected the segment's, as one change over the version that it was merged
 * with.
 */
final class Commit {
  /** Up to here the log names placed blocks with their checksums; above they are synced before. */
  private static final long NAMED_BLOCKS = (8 << 20) / Disk.BLOCK_BYTES;

  private static final int[] SYNCED = {};

  private final Inode base;
  private final long sizeBytes;
  private final PrivateContent content;
  private final @Nullable Patches patches;
  private final long nowNanos;
  private boolean applied;

  /**
   * A commit.
   *
   * @param patches what rides in the log, or null if everything was placed
   */
  Commit(
      Inode base,
      long sizeBytes,
      PrivateContent content,
      @Nullable Patches patches,
      long nowNanos) {
    this.base = base;
    this.sizeBytes = sizeBytes;
    this.content = content;
    this.patches = patches;
    this.nowNanos = nowNanos;
  }

  /** Whether the state has it, whatever became of its durability. */
  boolean wasApplied() {
    return applied;
  }

  /** Runs; {@code Conflict} if the segment was changed since. */
  void run(Store store, CompletionPort<Inode> port) {
    SegmentAccess access = store.access();
    List<LayoutEditor.Range> removed = new ArrayList<>();
    if (content.cutBytes() < Long.MAX_VALUE) {
      removed.add(
          new LayoutEditor.Range(PrivateContent.blocks(content.cutBytes()), Long.MAX_VALUE));
    }
    for (ExtentEntry entry : content.placed()) {
      removed.add(new LayoutEditor.Range(entry.logicalBlock(), entry.logicalEnd()));
    }
    if (removed.isEmpty()) {
      commit(
          store,
          port,
          removed,
          new LayoutEditor.Edited(unfolded(base.layout()), List.of(), List.of(), null));
      return;
    }
    LayoutEditor.Edit edit = new LayoutEditor.Edit(removed, content.placed());
    LayoutEditor.edit(
        access.layouts(),
        access.loader(),
        unfolded(base.layout()),
        edit,
        edited -> {
          switch (edited) {
            case Completion.Failed<LayoutEditor.Edited> failed -> port.complete(failed.cast());
            case Completion.Done<LayoutEditor.Edited> done ->
                sync(store, port, removed, done.value());
          }
        });
  }

  private static Layout unfolded(Layout layout) {
    return layout instanceof Layout.Inline ? Layout.EMPTY : layout;
  }

  private boolean isLarge() {
    long blocks = 0;
    for (ExtentEntry entry : content.placed()) {
      blocks += entry.extent().blocks();
    }
    return blocks > NAMED_BLOCKS;
  }

  private void sync(
      Store store,
      CompletionPort<Inode> port,
      List<LayoutEditor.Range> removed,
      LayoutEditor.Edited edited) {
    if (!isLarge()) {
      commit(store, port, removed, edited);
      return;
    }
    store
        .access()
        .placer()
        .disk()
        .submit(
            new DiskRequest.Sync(
                IoClass.FOREGROUND_WRITE,
                completion -> {
                  if (completion instanceof Completion.Failed<Unit> failed) {
                    giveBack(store, edited);
                    port.complete(failed.cast());
                  } else {
                    commit(store, port, removed, edited);
                  }
                }));
  }

  private void commit(
      Store store,
      CompletionPort<Inode> port,
      List<LayoutEditor.Range> removed,
      LayoutEditor.Edited edited) {
    store.<Inode>changeSegment(
        (view, out) -> plan(view, out, removed, edited),
        Durability.SYNC,
        completion -> {
          if (!applied) {
            giveBack(store, edited);
          }
          port.complete(completion);
        });
  }

  private static void giveBack(Store store, LayoutEditor.Edited edited) {
    List<Extent> pages = new ArrayList<>();
    for (Staged.NamedBlocks page : edited.pages()) {
      pages.add(page.extent());
    }
    store.access().giveBack(pages);
  }

  private Completion<Inode> plan(
      View view,
      SegmentMutations out,
      List<LayoutEditor.Range> removed,
      LayoutEditor.Edited edited) {
    Inode now = view.inode(base.id());
    if (now == null) {
      return Completion.failed(new Failure.NotFound("segment " + base.id()));
    }
    if (now.version() != base.version() || !LayoutEditor.isSame(now.layout(), base.layout())) {
      return Completion.failed(
          new Failure.Conflict(
              "segment " + base.id() + " was changed by somebody else; open it again"));
    }
    Inode next = now.touched(nowNanos).withContent(sizeBytes, edited.layout());
    out.setInode(next);
    for (LayoutEditor.Range range : removed) {
      out.drop(base.id(), range.from(), range.to());
    }
    boolean synced = isLarge();
    for (ExtentEntry entry : content.placed()) {
      out.allocate(new Staged.NamedBlocks(entry.extent(), synced ? SYNCED : entry.checksums()));
    }
    edited.pages().forEach(out::allocate);
    out.free(edited);
    Patches small = patches;
    if (small != null && !small.all().isEmpty()) {
      out.write(base.id(), small.all(), content.overlay().parts());
    }
    out.onApplied(
        () -> {
          applied = true;
          content.handOver();
        });
    return Completion.done(next);
  }
}
