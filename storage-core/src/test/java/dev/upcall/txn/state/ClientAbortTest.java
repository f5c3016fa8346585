package dev.upcall.txn.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.ContentStager;
import dev.upcall.content.StagedContent;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.SimHandles;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.TransactionStep;
import dev.upcall.txn.engine.StoreEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client gives up at each moment of what it does: after each turn of the dispatcher, with a
 * request under way or between two. The file is what was acknowledged or what was asked for last,
 * and nothing of what the client held stays behind.
 */
class ClientAbortTest {
  private static final long ID = 100;
  private static final byte[] BEFORE = StoreFixture.bytes(1, 200_000);
  private static final byte[] WHOLE = StoreFixture.bytes(2, 150_000);
  private static final byte[] LARGE_RANGE = StoreFixture.bytes(3, 90_000);
  private static final byte[] SMALL_RANGE = StoreFixture.bytes(4, 5000);
  private static final int CUT = 180_000;

  /** What a client does. */
  enum Job {
    /** Content is written, and becomes the file's. */
    PUT,
    /** Ranges are written through a handle and committed, twice. */
    HANDLE,
    /** The same and content that is put whole, in one transaction. */
    TRANSACTION,
    /** The file is read slice by slice. */
    READ
  }

  @ParameterizedTest
  @EnumSource
  void atEachMoment(Job job) {
    int moment = 0;
    while (!new Client(job).isThroughAt(moment)) {
      moment++;
    }
    assertTrue(moment > 5, "moments: " + moment);
  }

  /** Who keeps what it holds when it goes; a transaction would end by itself. */
  @ParameterizedTest
  @EnumSource(names = {"PUT", "READ"})
  void whoForgetsIsNoticed(Job job) {
    boolean noticed = false;
    for (int moment = 0; moment < 30 && !noticed; moment++) {
      Client client = new Client(job);
      client.forgets = true;
      try {
        client.isThroughAt(moment);
      } catch (RuntimeException | AssertionError e) {
        noticed = true;
      }
    }
    assertTrue(noticed, "what was never given back");
  }

  /** A client on a machine of its own. */
  private static final class Client {
    private final SimWorld world = SimWorld.ofBlocks(7, 4096);
    private final StoreFixture fixture;
    private final Store store;
    private final Job job;
    private final long reservedBlocks;
    private final int leases;

    /** What the file is, one after the other. */
    private final List<byte[]> states = new ArrayList<>(List.of(BEFORE));

    /** How to give up what is held, the last first. */
    private final List<Runnable> held = new ArrayList<>();

    private int acknowledged;
    private boolean gone;
    private boolean through;
    private boolean forgets;

    Client(Job job) {
      this.job = job;
      StoreFixture.format(world);
      fixture = StoreFixture.open(world);
      store = fixture.store();
      fixture.put(ID, BEFORE);
      reservedBlocks = state().map().reservedBlocks();
      leases = store.metrics().buffers().leases();
    }

    private StoreState state() {
      return ((StoreEngine) store).context().state();
    }

    /** Whether all was done before that moment. */
    boolean isThroughAt(int moment) {
      int[] turns = new int[1];
      switch (job) {
        case PUT -> stage(staged -> put(staged, this::over));
        case HANDLE -> open(null, handle -> ranges(handle, this::over));
        case TRANSACTION -> transact();
        case READ -> read();
      }
      world.runUntil(() -> through || turns[0]++ >= moment);
      boolean before = through;
      gone = true;
      if (!forgets) {
        List.copyOf(held).reversed().forEach(Runnable::run);
      }
      world.runUntilIdle();
      byte[] found = fixture.read(ID);
      assertTrue(
          states.subList(acknowledged, states.size()).stream()
              .anyMatch(state -> Arrays.equals(state, found)),
          "the file is neither what was acknowledged nor what was asked for");
      assertEquals(0, store.metrics().transactions().open());
      assertEquals(0, store.metrics().transactions().locks().held());
      assertEquals(reservedBlocks, state().map().reservedBlocks());
      assertEquals(Long.MAX_VALUE, state().pins().horizon(Long.MAX_VALUE), "a pin");
      boolean untouched = Arrays.equals(BEFORE, found);
      assertTrue(!untouched || store.metrics().buffers().leases() <= leases, "leases are out");
      fixture.end();
      return before;
    }

    private void over() {
      through = true;
    }

    /** Goes on with what was asked for, or gives it back at once if nobody wants it any more. */
    private <T> CompletionPort<T> then(Consumer<T> back, Consumer<T> next) {
      return completion -> {
        switch (completion) {
          case Completion.Failed<T>(Failure failure) ->
              assertTrue(gone, () -> "refused: " + failure.message());
          case Completion.Done<T>(T value) when gone -> back.accept(value);
          case Completion.Done<T>(T value) -> next.accept(value);
        }
      };
    }

    private CompletionPort<Unit> then(Runnable next) {
      return then(value -> {}, value -> next.run());
    }

    // Content.

    private void stage(Consumer<StagedContent> next) {
      ContentStager stager = store.stage(StoreFixture.OWNER);
      Runnable discard = stager::discard;
      held.add(discard);
      append(
          stager,
          0,
          () -> {
            held.remove(discard);
            stager.finish(then(StagedContent::discard, next));
          });
    }

    private void append(ContentStager stager, int from, Runnable next) {
      if (from == WHOLE.length) {
        next.run();
        return;
      }
      int length = Math.min(30_000, WHOLE.length - from);
      stager.append(
          ByteBuffer.wrap(WHOLE, from, length), then(() -> append(stager, from + length, next)));
    }

    private void put(StagedContent staged, Runnable next) {
      states.add(WHOLE);
      store.<Unit>change(
          (view, out) -> {
            out.putInode(view.inode(ID).touched(5), staged);
            return Completion.done();
          },
          Durability.SYNC,
          completion -> {
            staged.discard();
            assertTrue(completion instanceof Completion.Done<Unit>, "put: " + completion);
            acknowledged = 1;
            next.run();
          });
    }

    // Ranges.

    private void open(Transaction transaction, Consumer<SegmentHandle> next) {
      CompletionPort<SegmentHandle> port = then(SegmentHandle::abandon, next);
      if (transaction == null) {
        Segments.open(store, Segments.Target.of(ID), StoreFixture.OWNER, port);
      } else {
        Segments.open(store, transaction, Segments.Target.of(ID), StoreFixture.OWNER, port);
      }
    }

    private void ranges(SegmentHandle handle, Runnable next) {
      List<BiConsumer<SegmentHandle, CompletionPort<Unit>>> steps =
          List.of(
              (on, port) -> on.write(1000, ByteBuffer.wrap(LARGE_RANGE), port),
              (on, port) -> on.append(ByteBuffer.wrap(SMALL_RANGE), port),
              (on, port) -> commit(on::flush, port),
              (on, port) -> on.truncate(CUT, port),
              (on, port) -> on.write(70, ByteBuffer.wrap(SMALL_RANGE), port),
              (on, port) -> commit(on::close, port));
      step(handle, steps, next);
    }

    private void step(
        SegmentHandle handle,
        List<BiConsumer<SegmentHandle, CompletionPort<Unit>>> steps,
        Runnable next) {
      if (steps.isEmpty()) {
        next.run();
        return;
      }
      // A handle takes one request at a time, so who gives it up waits for the answer.
      steps
          .getFirst()
          .accept(
              handle,
              completion -> {
                if (gone || completion instanceof Completion.Failed<Unit>) {
                  assertTrue(gone, () -> "refused: " + completion);
                  handle.abandon();
                } else {
                  step(handle, steps.subList(1, steps.size()), next);
                }
              });
    }

    private void commit(Consumer<CompletionPort<Unit>> request, CompletionPort<Unit> port) {
      if (job != Job.HANDLE) {
        request.accept(port);
        return;
      }
      byte[] first =
          SimHandles.laid(SimHandles.laid(BEFORE, 1000, LARGE_RANGE), BEFORE.length, SMALL_RANGE);
      states.add(
          states.size() == 1 ? first : SimHandles.laid(Arrays.copyOf(first, CUT), 70, SMALL_RANGE));
      int number = states.size() - 1;
      request.accept(
          completion -> {
            acknowledged = completion instanceof Completion.Done ? number : acknowledged;
            port.complete(completion);
          });
    }

    // Both, in a transaction.

    private void transact() {
      store.begin(
          then(
              Transaction::rollback,
              transaction -> {
                Runnable rollback = transaction::rollback;
                held.add(rollback);
                open(
                    transaction,
                    handle ->
                        ranges(
                            handle, () -> stage(staged -> putIn(transaction, staged, rollback))));
              }));
    }

    private void putIn(Transaction transaction, StagedContent staged, Runnable rollback) {
      transaction.change(
          new TransactionStep<Unit>(
              "put",
              (view, out) -> {
                Inode old = view.inode(ID);
                out.putInode(old.touched(6), staged);
                return Completion.done();
              },
              List.of(staged)),
          then(
              () -> {
                held.remove(rollback);
                states.add(WHOLE);
                transaction.commit(
                    Durability.SYNC,
                    completion -> {
                      assertTrue(completion instanceof Completion.Done<Long>, "commit");
                      acknowledged = 1;
                      over();
                    });
              }));
    }

    // Reading.

    private void read() {
      store.pin(
          view -> Completion.done(view.inode(ID)),
          StoreFixture.OWNER,
          then(
              PinnedContent::close,
              content -> {
                held.add(content::close);
                slice(content, 0);
              }));
    }

    /** In another turn, as a client that takes its time. */
    private void goOn(PinnedContent content, long offset) {
      world
          .reactor()
          .after(
              /* delayNanos= */ 1,
              () -> {
                if (!gone) {
                  slice(content, offset);
                }
              });
    }

    private void slice(PinnedContent content, long offset) {
      content.read(
          offset,
          30_000,
          IoClass.FOREGROUND_READ,
          then(
              ContentSlice::release,
              slice -> {
                long size = slice.sizeBytes();
                slice.release();
                if (size == 0) {
                  over();
                } else {
                  goOn(content, offset + size);
                }
              }));
    }
  }
}
