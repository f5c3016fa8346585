package dev.upcall.txn.recovery;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.tree.Cursor;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.StoreContext;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Looks for the time of a state that is older than the newest: when a file or directory in it was
 * last changed. Reads every inode, so it is for those who must know.
 */
final class NewestChange {
  private static final int INODES_PER_UPCALL = 1000;

  private final StoreContext context;
  private final LongConsumer port;
  private byte[] from = new byte[0];
  private long newestNanos;

  /**
   * A search.
   *
   * @param port receives nanoseconds since 1970, of what could be read; 0 if nothing could
   */
  NewestChange(StoreContext context, LongConsumer port) {
    this.context = context;
    this.port = port;
  }

  /** Goes on. Must itself run as an upcall. */
  void next() {
    try {
      Cursor cursor = context.state().tree(StoreTree.INODES).from(from);
      for (int i = 0; i < INODES_PER_UPCALL; i++) {
        if (!cursor.next()) {
          port.accept(newestNanos);
          return;
        }
        byte[] key = cursor.key();
        long changedNanos =
            InodeCodec.decode(TreeKeys.id(key), cursor.value()).times().changedNanos();
        newestNanos = Math.max(newestNanos, changedNanos);
        from = Arrays.copyOf(key, key.length + 1);
      }
    } catch (PageMissing missing) {
      context.loader().load(missing.page(), this::loaded);
      return;
    }
    context.dispatcher().post(this::next);
  }

  private void loaded(Completion<Unit> completion) {
    switch (completion) {
      case Completion.Done<Unit> _ -> next();
      // Whoever reads there hears why; the time is that of the rest.
      case Completion.Failed<Unit>(Failure _) -> port.accept(newestNanos);
    }
  }
}
