package dev.upcall.txn.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.Faults;
import dev.upcall.space.Reserve;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.store.TransactionFixture;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.Overtaken;
import dev.upcall.txn.SegmentChange;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.View;
import dev.upcall.txn.engine.StoreEngine;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.state.RecordCodec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** May a change be applied? Each answer, and which comes first where several would be true. */
class VerdictTest extends TransactionFixture {
  private static final Failure NO = new Failure.NotFound("what the planner looked for");

  private StoreEngine engine() {
    return (StoreEngine) store.store();
  }

  /** What planning says; the state must be as it was. */
  private <T> Verdict<T> planned(SegmentChange<T> change) {
    StoreEngine engine = engine();
    long scn = engine.view().scn();
    Verdict<T> verdict =
        Plan.of(
            change,
            engine.context(),
            engine,
            Plan.Isolation.of(engine, change.lockOwner(), Faults.NONE));
    assertEquals(scn, engine.view().scn());
    return verdict;
  }

  // ------------------------------------------------------------------ room

  /** The plan adds content, of which it copies 7 blocks, and needs 5 on the volume. */
  @ParameterizedTest
  @CsvSource({
    "true,  7, true,  true,  Apply",
    "true,  6, true,  true,  Crowded",
    "true,  6, false, true,  Crowded",
    "true,  6, true,  false, Crowded",
    "true,  6, false, false, Crowded",
    "true,  7, false, true,  VolumeFull",
    "true,  7, false, false, VolumeFull",
    "true,  7, true,  false, LogFull",
    "false, 7, true,  true,  PagesFull",
    "false, 6, false, false, PagesFull",
  })
  void pagesComeBeforeUnplacedContentThenTheVolumeThenTheLog(
      boolean inPages, long unplacedBlocks, boolean onVolume, boolean inLog, String expected) {
    MutationBuffer out = new MutationBuffer(engine().view(), 1000, Faults.NONE);
    out.put(StoreTree.PROPERTIES, bytes("key"), bytes("value"));
    Plan<Unit> plan = new Plan<>(Completion.done(), out, List.of(), 7, 5);
    Verdict.Room room = new Verdict.Room(inPages, unplacedBlocks, onVolume, inLog);
    assertEquals(
        switch (expected) {
          case "Apply" -> new Verdict.Apply<>(plan);
          case "PagesFull" -> new Verdict.PagesFull<Unit>();
          case "Crowded" -> new Verdict.Crowded<Unit>(7);
          case "VolumeFull" -> new Verdict.VolumeFull<Unit>(5, Reserve.NORMAL);
          case "LogFull" -> new Verdict.LogFull<Unit>(RecordCodec.sizeBytes(out.ops()), List.of());
          default -> throw new AssertionError(expected);
        },
        Verdict.of(plan, room));
    assertNotEquals(new Verdict.PagesFull<Unit>(), Verdict.of(plan, room.forCheckpoint()));
  }

  @Test
  void onlyWhatAddsContentIsCrowdedOut() {
    StagedContent staged = store.stage(StoreFixture.bytes(1, 5000));
    Plan<Unit> adds = plan((view, out) -> put(out, 200, staged));
    assertEquals(0, adds.copiedBlocks());
    assertEquals(
        new Verdict.Crowded<Unit>(0), Verdict.of(adds, new Verdict.Room(true, -1, true, true)));
    Plan<Unit> removes = plan((view, out) -> remove(view, out, 100));
    assertInstanceOf(
        Verdict.Apply.class, Verdict.of(removes, new Verdict.Room(true, -1, true, true)));
    staged.discard();
  }

  @Test
  void aRemovalMayUseWhatIsKeptForIt() {
    Plan<Unit> removes = plan((view, out) -> remove(view, out, 100));
    assertTrue(removes.blocks() > 0);
    assertEquals(
        new Verdict.VolumeFull<Unit>(removes.blocks(), Reserve.EMERGENCY),
        Verdict.of(removes, new Verdict.Room(true, 0, false, true)));
  }

  // ------------------------------------------------------------------ planning

  /** What a change does that gets the answer of this name. */
  private enum Planner {
    APPLY,
    UNCHANGED,
    REFUSED,
    CONTENT_MOVED,
    LARGE_RECORD,
    MANY_COPIES
  }

  /** Segment 100 and nothing else is locked by a transaction. */
  @ParameterizedTest
  @CsvSource({
    "APPLY,         101, Apply",
    "APPLY,         100, Locked",
    "UNCHANGED,     101, Unchanged",
    "UNCHANGED,     100, Unchanged",
    "REFUSED,       101, Refused",
    "REFUSED,       100, Refused",
    "CONTENT_MOVED, 101, Postponed",
    "CONTENT_MOVED, 100, Postponed",
    "LARGE_RECORD,  101, Refused",
    "LARGE_RECORD,  100, Locked",
    "MANY_COPIES,   101, Refused",
    "MANY_COPIES,   100, Locked",
  })
  void planningAsksThePlannerThenTheLocksThenTheLimits(
      Planner planner, long segment, String expected) {
    Transaction transaction = begin();
    StoreTest.done(put(transaction, 100, "mine"));
    StagedContent staged = store.stage(StoreFixture.bytes(1, 5 * 4096));
    Verdict<Unit> verdict = planned(change(planner, segment, staged));
    assertEquals(expected, verdict.getClass().getSimpleName());
    switch (verdict) {
      case Verdict.Unchanged<Unit>(Completion<Unit> answer) -> StoreTest.done(answer);
      case Verdict.Locked<Unit>(LockKey key) -> assertEquals(LockKey.ofSegment(100), key);
      case Verdict.Refused<Unit>(Failure why) when planner == Planner.REFUSED ->
          assertSame(NO, why);
      case Verdict.Refused<Unit>(Failure why) ->
          assertEquals(
              planner == Planner.LARGE_RECORD
                  ? "the log record of a change"
                  : "small content that a change brings and clones",
              assertInstanceOf(Failure.TooLarge.class, why).what());
      case Verdict.Postponed<Unit>(Consumer<CompletionPort<Unit>> remedy) ->
          StoreTest.done(world.await(remedy));
      default -> assertInstanceOf(Verdict.Apply.class, verdict);
    }
    staged.discard();
    transaction.rollback();
  }

  private SegmentChange<Unit> change(Planner planner, long segment, StagedContent staged) {
    return (view, out) -> {
      if (planner != Planner.UNCHANGED) {
        out.putInode(inode(view, segment).touched(1), staged);
      }
      switch (planner) {
        case APPLY, UNCHANGED -> {}
        case REFUSED -> {
          return Completion.failed(NO);
        }
        case CONTENT_MOVED ->
            throw new Overtaken(port -> world.dispatcher().complete(port, Completion.done()));
        case LARGE_RECORD -> {
          for (int i = 0; i < 100; i++) {
            out.put(StoreTree.PROPERTIES, bytes("key " + i), new byte[1000]);
          }
        }
        case MANY_COPIES -> {
          for (int i = 0; i < 60; i++) {
            out.putClone(StoreFixture.file(1000 + i), segment);
          }
        }
      }
      return Completion.done();
    };
  }

  @Test
  void whoHoldsTheLockIsNotLockedOut() {
    LockOwner owner = new LockOwner("somebody");
    done(
        world.<Unit>await(
            port -> engine().locks().acquire(owner, LockKey.ofSegment(100), () -> "a test", port)));
    SegmentChange<Unit> change =
        new SegmentChange<>() {
          @Override
          public Completion<Unit> plan(View view, SegmentMutations out) {
            return remove(view, out, 100);
          }

          @Override
          public LockOwner lockOwner() {
            return owner;
          }
        };
    assertInstanceOf(Verdict.Apply.class, planned(change));
    assertInstanceOf(Verdict.Locked.class, planned(change::plan));
    engine().locks().release(owner);
    assertInstanceOf(Verdict.Apply.class, planned(change::plan));
  }

  @Test
  void aPageThatIsNotInMemoryIsNamed() {
    // So many that the leaf is not the root, which is in memory from the opening on.
    for (int id = 200; id < 220; id++) {
      done(store.put(id, new byte[100]));
    }
    done(world.<Unit>await(store.store()::checkpoint));
    world = world.crashAndReopen();
    store = StoreFixture.open(world);
    SegmentChange<Unit> change = (view, out) -> remove(view, out, 100);
    Set<PageRef> missing = new HashSet<>();
    for (Verdict<Unit> verdict = planned(change);
        !(verdict instanceof Verdict.Apply<Unit>);
        verdict = planned(change)) {
      PageRef page = ((Verdict.PageMissing<Unit>) verdict).pages().getFirst();
      assertTrue(missing.add(page), "a page that was loaded");
      done(world.<Unit>await(port -> engine().context().loader().load(page, port)));
    }
    assertFalse(missing.isEmpty());
  }

  private <T> Plan<T> plan(SegmentChange<T> change) {
    return ((Verdict.Apply<T>) planned(change)).plan();
  }

  private static Completion<Unit> put(SegmentMutations out, long id, StagedContent content) {
    out.putInode(StoreFixture.file(id), content);
    return Completion.done();
  }

  private static Completion<Unit> remove(View view, SegmentMutations out, long id) {
    out.removeSegment(inode(view, id));
    return Completion.done();
  }
}
