package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.segment.InodeCodec;
import dev.upcall.space.FreeMap;
import dev.upcall.space.Reserve;
import dev.upcall.tree.PagesBehind;
import dev.upcall.tree.Tree;
import java.util.List;

/**
 * Moves the tree pages of a nearly empty store towards the volume's start, so that its end can be
 * cut off: second copies lie far behind the first ones, and where nothing changes they stay. Puts
 * an entry of each page again, in changes of bounded size; the next checkpoint writes the pages to
 * blocks before the limit. Content is not moved, nor are the extent trees of large content.
 */
final class Evacuation {
  /** Stores with more than that are left as they are: 64 MiB. */
  private static final long MAX_COMMITTED_BLOCKS = 16_384;

  private static final int KEYS_PER_CHANGE = 64;
  private static final int MAX_CHANGES = 16;

  private final StoreContext context;
  private final WriteBack.Changes changes;
  private final FreeMap map;
  private long triedTotal = Long.MAX_VALUE;
  private long triedReleased;

  Evacuation(StoreContext context, WriteBack.Changes changes) {
    this.context = context;
    this.changes = changes;
    this.map = context.state().map();
  }

  /**
   * Whether moving pages may make the volume smaller by at least so many blocks, and the volume has
   * become smaller since it was tried last, or half of it was freed.
   *
   * @param released how many blocks were freed in all
   */
  boolean isWorthIt(long leastBlocks, long released) {
    long total = map.totalBlocks();
    // What a snapshot holds cannot move, and old pages would only be one thing more that it holds.
    return map.held().keptBlocks() == 0
        && (total < triedTotal || released - triedReleased >= total / 2)
        && map.committedBlocks() <= MAX_COMMITTED_BLOCKS
        && map.totalBlocks() - limit() >= leastBlocks;
  }

  /** Twice what is needed: half for first copies and content, half for second copies. */
  private long limit() {
    long needed =
        map.committedBlocks() + map.reservedBlocks() + context.config().trim().poolBlocks();
    return map.config().firstBlock() + 2 * needed;
  }

  /** Starts; completes with whether anything moves with the next checkpoint. */
  void run(long released, CompletionPort<Boolean> port) {
    triedTotal = map.totalBlocks();
    triedReleased = released;
    long limit = limit();
    map.unbacked().doubtBehind(limit);
    next(limit, 0, port);
  }

  private void next(long limit, int done, CompletionPort<Boolean> port) {
    changes.<Boolean>change(
        (view, out) -> Completion.done(plan(limit, view, out)),
        completion -> {
          boolean moved = completion instanceof Completion.Done<Boolean> more && more.value();
          if (moved && done + 1 < MAX_CHANGES) {
            next(limit, done + 1, port);
          } else {
            port.complete(Completion.done(moved || done > 0));
          }
        });
  }

  /** Never more than there is room for: the volume must not grow in order to shrink. */
  private boolean plan(long limit, View view, SegmentMutations out) {
    boolean some = false;
    long room = map.availableBlocks(Reserve.NORMAL);
    for (StoreTree tree : StoreTree.FROZEN) {
      Tree pages = context.state().tree(tree);
      int most = KEYS_PER_CHANGE;
      while (most > 0 && 2L * pages.worstCaseDirtyPages(most) > room) {
        most /= 2;
      }
      List<byte[]> keys = PagesBehind.keys(pages, limit, most);
      room -= keys.isEmpty() ? 0 : 2L * pages.worstCaseDirtyPages(keys.size());
      for (byte[] key : keys) {
        View.Scan scan = view.from(tree, key);
        if (!scan.next()) {
          continue;
        }
        if (tree == StoreTree.INODES) {
          out.setInode(InodeCodec.decode(TreeKeys.id(scan.key()), scan.value()));
        } else {
          out.put(tree, scan.key(), scan.value());
        }
        some = true;
      }
    }
    return some;
  }
}
