package dev.upcall.txn.recovery;

import dev.upcall.base.Invariants;
import dev.upcall.buffer.BlockRun;
import dev.upcall.buffer.Lease;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.LeaseOwner;
import dev.upcall.io.IoClass;
import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.tree.Cursor;
import dev.upcall.tree.PageMissing;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.PageWalk;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.StoreContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Brings the content that was unplaced at the checkpoint back into frames. */
final class UnplacedLoading {
  static final LeaseOwner OWNER = new LeaseOwner("unplaced content", 0);

  private final StoreContext context;
  private final CompletionPort<List<Extent>> port;
  private final List<Extent> extents = new ArrayList<>();
  private byte[] from = new byte[0];

  /**
   * A loading.
   *
   * @param port receives every block of the image, its tree's pages included: they are free with
   *     the next checkpoint
   */
  UnplacedLoading(StoreContext context, CompletionPort<List<Extent>> port) {
    this.context = context;
    this.port = port;
  }

  /** Loads the next entry. Must itself run as an upcall. */
  void next() {
    byte[] key;
    byte[] value;
    try {
      Cursor cursor = context.state().tree(StoreTree.UNPLACED).from(from);
      if (!cursor.next()) {
        walk(context.state().tree(StoreTree.UNPLACED).walk());
        return;
      }
      key = cursor.key();
      value = cursor.value();
    } catch (PageMissing missing) {
      context.loader().load(missing.page(), port.then(loaded -> next()));
      return;
    }
    long segment = TreeKeys.id(key);
    ExtentEntry entry = InodeCodec.decodePlainEntry(TreeKeys.number(key, Long.BYTES), value);
    from = java.util.Arrays.copyOf(key, key.length + 1);
    extents.add(entry.extent());
    BlockRun run = entry.run(entry.logicalBlock(), entry.checksums().length);
    context
        .buffers()
        .read(run, IoClass.FOREGROUND_READ, OWNER, port.then(read -> copy(segment, entry, read)));
  }

  /**
   * Into a frame of its own: the one that was read is known by an address that will be free soon.
   */
  private void copy(long segment, ExtentEntry entry, List<Lease> read) {
    int blocks = entry.checksums().length;
    context
        .buffers()
        .allocate(
            blocks,
            OWNER,
            CompletionPort.of(
                copied -> {
                  ByteBuffer to = copied.buffer();
                  for (Lease lease : read) {
                    to.put(lease.buffer());
                    lease.release();
                  }
                  Overlay.Part part = new Overlay.Part(entry.logicalBlock(), blocks, copied, 0);
                  long handedOut = context.state().map().handedOutBlocks();
                  Invariants.check(handedOut == 0, "blocks handed out while loading", handedOut);
                  context.state().segments().write(segment, part, context.state().scn());
                  next();
                },
                failure -> {
                  read.forEach(Lease::release);
                  port.complete(Completion.failed(failure));
                }));
  }

  private void walk(PageWalk walk) {
    try {
      for (PageRef page = walk.next(); page != null; page = walk.next()) {
        Extent.each(page.blocks(), extents::add);
      }
    } catch (PageMissing missing) {
      context.loader().load(missing.page(), port.then(loaded -> walk(walk)));
      return;
    }
    port.complete(Completion.done(extents));
  }
}
