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
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.snapshot.SnapshotBits;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.state.SnapshotNames;
import dev.upcall.txn.state.SnapshotRecord;
import dev.upcall.txn.state.StoreContext;
import dev.upcall.txn.state.StoredSnapshot;
import dev.upcall.txn.volume.StoreRoot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opening: reads what the named snapshots hold, before anything is handed out. Takes as long as
 * their bits, 1/32768 of the volume for each snapshot; a damaged block is read from the second
 * copy.
 */
final class SnapshotLoading {
  private final StoreContext context;
  private final @Nullable Findings findings;
  private final CompletionPort<List<StoredSnapshot>> port;
  private final List<StoredSnapshot> loaded = new ArrayList<>();
  private byte[] from = new byte[0];

  /**
   * A loading.
   *
   * @param findings where nothing will be handed out: hears which snapshots cannot be read, and one
   *     can be although nobody knows what it holds; null where all must be whole
   */
  SnapshotLoading(
      StoreContext context,
      @Nullable Findings findings,
      CompletionPort<List<StoredSnapshot>> port) {
    this.context = context;
    this.findings = findings;
    this.port = port;
  }

  /** Loads the next one. Must itself run as an upcall. */
  void next() {
    String name;
    SnapshotRecord record;
    try {
      Cursor cursor = context.state().tree(StoreTree.SNAPSHOTS).from(from);
      if (!cursor.next()) {
        end();
        return;
      }
      name = SnapshotNames.name(cursor.key());
      record = SnapshotRecord.decode(cursor.value());
      from = Arrays.copyOf(cursor.key(), cursor.key().length + 1);
    } catch (PageMissing missing) {
      context.loader().load(missing.page(), CompletionPort.of(done -> next(), this::nameless));
      return;
    } catch (IllegalArgumentException e) {
      nameless(new Failure.Invalid(context.disk().name() + ": " + e.getMessage()));
      return;
    }
    HeldBlocks held = context.state().map().held();
    // Held before anything is handed out: what seems free in the map may be a snapshot's.
    long handedOut = context.state().map().handedOutBlocks();
    Invariants.check(handedOut == 0, "blocks handed out before a snapshot", handedOut);
    SnapshotBlocks blocks = held.open(record.volumeBlocks());
    StoredSnapshot snapshot = new StoredSnapshot(name, record, blocks);
    SnapshotBits.read(
        context.disk(),
        record,
        blocks,
        chunk -> held.load(blocks, chunk),
        completion -> {
          switch (completion) {
            case Completion.Done<Unit> done -> look(snapshot);
            case Completion.Failed<Unit> failed when findings != null -> look(snapshot);
            case Completion.Failed<Unit> failed -> port.complete(failed.cast());
          }
        });
  }

  /** Whether a snapshot can be read at all: that it can is else its reader's business. */
  private void look(StoredSnapshot snapshot) {
    if (findings == null) {
      loaded.add(snapshot);
      next();
    } else {
      look(snapshot, findings, snapshot.record().roots().iterator());
    }
  }

  private void look(StoredSnapshot snapshot, Findings hear, Iterator<StoreRoot> roots) {
    if (!roots.hasNext()) {
      loaded.add(snapshot);
      next();
      return;
    }
    StoreRoot root = roots.next();
    PageRef page = context.state().newTree(StoreTree.of(root.treeId()), Roots.decode(root)).root();
    if (page == null) {
      look(snapshot, hear, roots);
      return;
    }
    context
        .loader()
        .load(
            page,
            CompletionPort.of(
                done -> look(snapshot, hear, roots),
                why -> {
                  hear.add("snapshot " + snapshot.name() + " cannot be read: " + why.message());
                  loaded.add(
                      new StoredSnapshot(
                          snapshot.name(), snapshot.record(), snapshot.blocks(), why));
                  next();
                }));
  }

  /** Where the names cannot be read those before are what there is. */
  private void nameless(Failure why) {
    if (findings == null) {
      port.complete(Completion.failed(why));
    } else {
      findings.add(
          (loaded.isEmpty() ? "no snapshot" : "no more than " + loaded.size() + " snapshots")
              + " can be read: "
              + why.message());
      end();
    }
  }

  private void end() {
    loaded.sort(Comparator.comparingLong(snapshot -> snapshot.record().scn()));
    port.complete(Completion.done(loaded));
  }
}
