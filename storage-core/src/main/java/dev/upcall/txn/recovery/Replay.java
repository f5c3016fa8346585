package dev.upcall.txn.recovery;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.segment.Content;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.WritePreparer;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoreFault;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies log records again, one step after the other: nobody looks on, so a record need not be
 * applied in one upcall.
 *
 * <p>A leaf that has one copy, and that is damaged, is lost with what the log says of it: the store
 * opens without, and nobody reads the leaf again. A device that refuses to read it may do so
 * another time, so that it is not opened.
 */
final class Replay {
  private final StoreContext context;
  private final long lacksUpTo;
  private boolean untouched;
  private int lostLeaves;

  /**
   * A replay.
   *
   * @param lacksUpTo where what the log names may lie although the volume has no block there, since
   *     it will only be read; else 0
   */
  Replay(StoreContext context, long lacksUpTo) {
    this.context = context;
    this.lacksUpTo = lacksUpTo;
  }

  /**
   * Applies a record and completes, maybe at once. Failures: {@code Corrupt}, {@code Device},
   * {@code Invalid} for a record that does not fit the store. Where the store will only be read,
   * pages are missed before the first step ({@link #isUntouched}) if that can be known.
   */
  void apply(long scn, List<Op> ops, CompletionPort<Unit> port) {
    int snapshots = context.state().snapshots().count();
    Invariants.check(snapshots == 0, "somebody looks at half a record", snapshots, scn);
    long handedOut = context.state().map().handedOutBlocks();
    Invariants.check(handedOut == 0, "blocks handed out before a record", handedOut, scn);
    if (lacksUpTo == 0) {
      begin(scn, ops, port);
    } else {
      bring(scn, ops, port);
    }
  }

  /** Whether nothing was applied of the record that failed. */
  boolean isUntouched() {
    return untouched;
  }

  /** How many leaves of entries are lost, and with them what the log says of them. */
  int lostLeaves() {
    return lostLeaves;
  }

  private void begin(long scn, List<Op> ops, CompletionPort<Unit> port) {
    context.state().advance(scn);
    steps(ops.iterator(), port);
  }

  /**
   * First has all pages in memory. What a record says of snapshots is left out when they cannot be
   * read: the rest of the store does without.
   */
  private void bring(long scn, List<Op> ops, CompletionPort<Unit> port) {
    for (Op op : ops) {
      try {
        prepare(op);
        if (op instanceof Op.OverlayWrite write) {
          context.state().tree(StoreTree.INODES).prepare(TreeKeys.of(write.segment()));
        }
      } catch (PageMissing missing) {
        context
            .loader()
            .load(
                missing.page(),
                completion -> {
                  if (isLost(op, missing.page(), completion)) {
                    lose(op, port.then(lost -> bring(scn, ops, port)));
                  } else {
                    brought(scn, ops, op, completion, port);
                  }
                });
        return;
      }
    }
    begin(scn, ops, port);
  }

  private void brought(
      long scn, List<Op> ops, Op op, Completion<Unit> completion, CompletionPort<Unit> port) {
    if (completion instanceof Completion.Done<Unit>) {
      bring(scn, ops, port);
    } else if (isOfSnapshots(op)) {
      List<Op> others = new ArrayList<>(ops);
      others.remove(op);
      bring(scn, others, port);
    } else {
      untouched = true;
      port.complete(completion);
    }
  }

  /** Whether there is something to be applied to; {@code PageMissing} if that is not in memory. */
  private boolean prepare(Op op) {
    byte[] key = keyOfEntry(op);
    if (key != null && context.state().tree(StoreTree.ENTRIES).isLost(key)) {
      return false;
    }
    context.state().prepare(op);
    return true;
  }

  /** Leaves of other trees have two copies, whatever a volume says that somebody forged. */
  private static boolean isLost(Op op, PageRef page, Completion<Unit> loaded) {
    return keyOfEntry(op) != null
        && page.hasOneCopy()
        && loaded instanceof Completion.Failed<Unit>(Failure why)
        && why instanceof Failure.Corrupt;
  }

  private void lose(Op op, CompletionPort<Unit> port) {
    byte[] key = Invariants.present(keyOfEntry(op), "the key of an entry");
    try {
      context.state().tree(StoreTree.ENTRIES).lose(key);
    } catch (PageMissing missing) {
      context.loader().load(missing.page(), port.then(loaded -> lose(op, port)));
      return;
    }
    lostLeaves++;
    port.complete(Completion.done());
  }

  private static boolean isOfSnapshots(Op op) {
    return keyIn(StoreTree.SNAPSHOTS, op) != null;
  }

  private static byte @Nullable [] keyOfEntry(Op op) {
    return keyIn(StoreTree.ENTRIES, op);
  }

  /** The key that a step changes in a tree, or null: it changes none there. */
  private static byte @Nullable [] keyIn(StoreTree tree, Op op) {
    return switch (op) {
      case Op.Put put -> put.tree() == tree ? put.key() : null;
      case Op.Remove remove -> remove.tree() == tree ? remove.key() : null;
      case Op.OverlayWrite _,
          Op.OverlayDrop _,
          Op.OverlayCopy _,
          Op.Allocate _,
          Op.Free _,
          Op.Unchanged _ ->
          null;
    };
  }

  private void steps(Iterator<Op> ops, CompletionPort<Unit> port) {
    while (ops.hasNext()) {
      Op op = ops.next();
      // Asked before the step: the map has no bits for what was cut off.
      if (op instanceof Op.Allocate allocate
          && allocate.extent().end() > context.state().map().totalBlocks()) {
        if (allocate.extent().end() > lacksUpTo) {
          port.complete(Completion.failed(cutShort(allocate.extent())));
          return;
        }
        context.state().map().grow(allocate.extent().end());
      }
      if (op instanceof Op.OverlayWrite write) {
        write(write, port.then(written -> steps(ops, port)));
        return;
      }
      if (!step(op, port.then(done -> steps(ops, port)))) {
        return;
      }
    }
    context.state().pages().trim(PageCache.PAGES_PER_TRIM);
    port.complete(Completion.done());
  }

  private Failure cutShort(Extent extent) {
    return new Failure.Invalid(
        "%s is cut short: it has %d bytes, its log puts content up to byte %d; restore the rest of the file, or open it read-only"
            .formatted(
                context.disk().name(),
                context.disk().sizeBlocks() * Disk.BLOCK_BYTES,
                extent.end() * Disk.BLOCK_BYTES));
  }

  /** Applies a step at once, or later and then tells the port. */
  private boolean step(Op op, CompletionPort<Unit> later) {
    try {
      if (!prepare(op)) {
        return true;
      }
    } catch (PageMissing missing) {
      context
          .loader()
          .load(
              missing.page(),
              completion -> {
                if (isLost(op, missing.page(), completion)) {
                  lose(op, later);
                } else if (completion instanceof Completion.Failed<Unit> || step(op, later)) {
                  later.complete(completion);
                }
              });
      return false;
    }
    if (keyOfEntry(op) == null || !context.faults().has(StoreFault.ENTRIES_NOT_REPLAYED)) {
      context.state().apply(op, /* live= */ false);
    }
    return true;
  }

  private void write(Op.OverlayWrite write, CompletionPort<Unit> port) {
    Inode inode;
    try {
      byte[] value = context.state().tree(StoreTree.INODES).get(TreeKeys.of(write.segment()));
      if (value == null) {
        port.complete(
            Completion.failed(
                new Failure.Invalid(
                    context.disk().name()
                        + ": the log writes to segment "
                        + write.segment()
                        + ", which does not exist")));
        return;
      }
      inode = InodeCodec.decode(write.segment(), value);
    } catch (PageMissing missing) {
      context.loader().load(missing.page(), port.then(loaded -> write(write, port)));
      return;
    }
    // The inode and the overlay as the steps before have left them, hence not read ahead.
    ByteBuffer bytes = write.bytes().getFirst();
    Overlay overlay =
        write.fresh() ? Overlay.EMPTY : context.state().segments().overlay(write.segment());
    Layout.Space layout = write.fresh() ? Layout.EMPTY : inode.layout().space();
    long spaceBytes = PieceMap.spaceBytes(inode.layout().pieces(), inode.size());
    Inode base =
        inode.withContent(Math.max(spaceBytes, write.offset() + bytes.remaining()), layout);
    Content content = new Content(context.reader(), base, overlay, UnplacedLoading.OWNER, () -> {});
    WritePreparer.prepare(
        context.buffers(),
        content,
        UnplacedLoading.OWNER,
        new WritePreparer.Write(write.offset(), bytes),
        completion -> {
          content.close();
          switch (completion) {
            case Completion.Failed<List<Overlay.Part>> failed -> port.complete(failed.cast());
            case Completion.Done<List<Overlay.Part>> done -> {
              Op.OverlayWrite prepared =
                  new Op.OverlayWrite(
                      write.segment(),
                      write.offset(),
                      write.bytes(),
                      write.fresh(),
                      new ArrayList<>(done.value()));
              context.state().apply(prepared, /* live= */ false);
              port.complete(Completion.done());
            }
          }
        });
  }
}
