package dev.upcall.sim.store;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.store.model.SimEdit;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.plan.SimHabits;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Query;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/** A handle inside a transaction: some operations, and a flush after some of them. */
final class SimRanges {
  private static final int MOST_OPERATIONS = 5;

  private final SimClients clients;
  private final Store store;
  private final boolean edits;
  private final SimEdges edges;
  private final SplittableRandom random;

  SimRanges(SimClients clients, Store store, SimHabits habits, SplittableRandom random) {
    this.clients = clients;
    this.store = store;
    this.edits = habits.edits();
    this.edges = new SimEdges(habits.edges(), random);
    this.random = random;
  }

  /** Who knows what the transaction sees. */
  interface Judge {
    /**
     * A flush is planned, in the transaction or at its commit.
     *
     * @param expected what the file must be before it
     */
    void planned(View view, SegmentMutations out, SimModel.FileState expected);

    /**
     * What was written is a part of the transaction.
     *
     * @param writtenBytes so many bytes at least it brought
     */
    void flushed(SimModel.FileState expected, SimModel.FileState after, long writtenBytes);

    /** The handle has ended; with what the transaction refused. */
    void over(Completion<Unit> completion);
  }

  /** Opens a handle, uses and ends it. */
  void run(Transaction transaction, long id, SimModel.FileState before, Judge judge) {
    Using using = new Using(transaction, before, judge);
    Segments.open(
        store,
        using,
        Segments.Target.of(id),
        StoreFixture.OWNER,
        completion -> {
          switch (completion) {
            case Completion.Failed<SegmentHandle> failed -> judge.over(failed.cast());
            case Completion.Done<SegmentHandle>(SegmentHandle handle) -> using.begin(handle);
          }
        });
  }

  /** A handle in use; the transaction as the handle sees it. */
  private final class Using implements Transaction {
    private final Transaction transaction;
    private final Judge judge;
    private SimModel.FileState flushed;
    private byte[] bytes;

    /** Which bytes were written since the last flush, and not cut off. */
    private BitSet written = new BitSet();

    private int left = 1 + random.nextInt(MOST_OPERATIONS);
    private SegmentHandle handle;

    Using(Transaction transaction, SimModel.FileState before, Judge judge) {
      this.transaction = transaction;
      this.judge = judge;
      this.flushed = before;
      this.bytes = before.bytes();
    }

    void begin(SegmentHandle opened) {
      handle = opened;
      clients.pause(this::next);
    }

    private void next() {
      if (left-- == 0) {
        handle.close(this::over);
        return;
      }
      if (edges.isNext()) {
        edges.ask(handle, goingOn(bytes, () -> {}));
        return;
      }
      if (edits && random.nextBoolean()) {
        SimEdit edit = SimEdit.draw(bytes.length, random);
        handle.splice(
            edit.offset(),
            edit.removed(),
            ByteBuffer.wrap(edit.bytes()),
            goingOn(edit.of(bytes), () -> written = edit.of(written)));
        return;
      }
      byte[] piece = piece();
      switch (random.nextInt(6)) {
        case 0 -> handle.flush(goingOn(bytes, () -> {}));
        case 1 -> {
          int size = random.nextInt(bytes.length + 5000);
          handle.truncate(
              size,
              goingOn(Arrays.copyOf(bytes, size), () -> written.clear(size, Integer.MAX_VALUE)));
        }
        case 2 -> handle.append(ByteBuffer.wrap(piece), laid(bytes.length, piece));
        default -> {
          int offset = random.nextInt(bytes.length + (random.nextInt(4) == 0 ? 9000 : 1));
          handle.write(offset, ByteBuffer.wrap(piece), laid(offset, piece));
        }
      }
    }

    private byte[] piece() {
      int length = random.nextInt(12) == 0 ? random.nextInt(100_000) : random.nextInt(6000);
      return StoreFixture.bytes(random.nextLong(), 1 + length);
    }

    private CompletionPort<Unit> laid(int offset, byte[] piece) {
      return goingOn(
          SimHandles.laid(bytes, offset, piece), () -> written.set(offset, offset + piece.length));
    }

    private CompletionPort<Unit> goingOn(byte[] after, Runnable done) {
      return completion -> {
        if (completion instanceof Completion.Done<Unit>) {
          bytes = after;
          done.run();
          clients.pause(this::next);
        } else {
          over(completion);
        }
      };
    }

    private void over(Completion<Unit> completion) {
      handle.abandon();
      judge.over(completion);
    }

    @Override
    public <T> void change(TransactionStep<T> step, CompletionPort<T> port) {
      SimModel.FileState expected = flushed;
      TransactionStep<T> judged =
          new TransactionStep<>(
              step.purpose(),
              (view, out) -> {
                judge.planned(view, out, expected);
                return step.change().plan(view, out);
              },
              step.content());
      transaction.change(
          judged,
          completion -> {
            if (completion instanceof Completion.Done<T>(T made) && made instanceof Inode inode) {
              SimInspection.checkThat(
                  inode.size() == bytes.length, "size " + inode.size() + ", not " + bytes.length);
              flushed =
                  new SimModel.FileState(inode.version(), expected.content(), bytes.length, bytes);
              judge.flushed(expected, flushed, written.cardinality());
              written.clear();
            }
            port.complete(completion);
          });
    }

    @Override
    public long id() {
      return transaction.id();
    }

    @Override
    public long scn() {
      return transaction.scn();
    }

    @Override
    public <T> void query(Query<T> query, CompletionPort<T> port) {
      transaction.query(query, port);
    }

    @Override
    public void pin(Query<Inode> which, LeaseOwner owner, CompletionPort<PinnedContent> port) {
      transaction.pin(which, owner, port);
    }

    @Override
    public void commit(Durability durability, CompletionPort<Long> port) {
      transaction.commit(durability, port);
    }

    @Override
    public void whenOver(Runnable upcall) {
      transaction.whenOver(upcall);
    }

    @Override
    public void rollback() {
      transaction.rollback();
    }
  }
}
