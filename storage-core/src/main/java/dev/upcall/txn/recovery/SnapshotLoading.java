package dev.upcall.txn.recovery;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.space.HeldBlocks;
import dev.upcall.space.SnapshotBlocks;
import dev.upcall.tree.Cursor;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.snapshot.SnapshotBits;
import dev.upcall.txn.state.SnapshotNames;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoredSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Opening: reads what the named snapshots hold, before anything is handed out. Takes as long as
 * their bits, 1/32768 of the volume for each snapshot; a damaged block is read from the second
 * copy.
 */
final class SnapshotLoading {
  private final StoreContext context;
  private final boolean mayBeDamaged;
  private final CompletionPort<List<StoredSnapshot>> port;
  private final List<StoredSnapshot> loaded = new ArrayList<>();
  private byte[] from = new byte[0];

  /**
   * A loading.
   *
   * @param mayBeDamaged nothing will be handed out: a snapshot can be read although nobody knows
   *     what it holds
   */
  SnapshotLoading(
      StoreContext context, boolean mayBeDamaged, CompletionPort<List<StoredSnapshot>> port) {
    this.context = context;
    this.mayBeDamaged = mayBeDamaged;
    this.port = port;
  }

  /** Loads the next one. Must itself run as an upcall. */
  void next() {
    String name;
    SnapshotRecord record;
    try {
      Cursor cursor = context.state().tree(StoreTree.SNAPSHOTS).from(from);
      if (!cursor.next()) {
        loaded.sort(Comparator.comparingLong(snapshot -> snapshot.record().scn()));
        port.complete(Completion.done(loaded));
        return;
      }
      name = SnapshotNames.name(cursor.key());
      record = SnapshotRecord.decode(cursor.value());
      from = Arrays.copyOf(cursor.key(), cursor.key().length + 1);
    } catch (PageMissing missing) {
      context.loader().load(missing.page(), port.then(loaded -> next()));
      return;
    } catch (IllegalArgumentException e) {
      port.complete(
          Completion.failed(new Failure.Invalid(context.disk().name() + ": " + e.getMessage())));
      return;
    }
    HeldBlocks held = context.state().map().held();
    // Held before anything is handed out: what seems free in the map may be a snapshot's.
    long handedOut = context.state().map().handedOutBlocks();
    Invariants.check(handedOut == 0, "blocks handed out before a snapshot", handedOut);
    SnapshotBlocks blocks = held.open(record.volumeBlocks());
    loaded.add(new StoredSnapshot(name, record, blocks));
    SnapshotBits.read(
        context.disk(),
        record,
        blocks,
        chunk -> held.load(blocks, chunk),
        completion -> {
          switch (completion) {
            case Completion.Done<Unit> done -> next();
            case Completion.Failed<Unit>(Failure.Corrupt corrupt) when mayBeDamaged -> next();
            case Completion.Failed<Unit> failed -> port.complete(failed.cast());
          }
        });
  }
}
