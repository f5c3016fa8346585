package dev.upcall.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.StateMachineDocs;
import dev.upcall.fsm.TransitionCoverage;
import dev.upcall.segment.PinnedContent;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.View;
import dev.upcall.txn.change.NewestChanges;
import dev.upcall.txn.engine.StoreEngine;
import dev.upcall.txn.transaction.OpenTransaction;
import dev.upcall.txn.transaction.StepRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the simulator's transactions do by chance, one by one. */
class TransactionTest extends TransactionFixture {
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();

  @AfterEach
  void close() {
    assertEquals(0, store.store().metrics().transactions().open());
    assertEquals(0, store.store().metrics().transactions().locks().held());
    store.verify();
    world.<Unit>get(store.store()::close);
    COVERAGE.add(world.dispatcher().recorder());
  }

  @AfterAll
  static void everyTransitionWasTaken() {
    COVERAGE.assertAllTaken(OpenTransaction.TRANSITIONS, StepRun.TRANSITIONS);
    StateMachineDocs.check(OpenTransaction.TRANSITIONS, StepRun.TRANSITIONS);
  }

  // ------------------------------------------------------------------ alone

  @Test
  void seesItsOwnChangesAndNobodyElseDoesBeforeTheCommit() {
    Transaction transaction = begin();
    done(put(transaction, 100, "new"));
    done(remove(transaction, 101));
    done(put(transaction, 200, "made"));
    assertEquals("new", read(transaction, 100));
    assertNull(read(transaction, 101));
    assertEquals("made", read(transaction, 200));
    assertEquals("a hundred", text(store.read(100)));
    assertNull(store.read(200));

    long scn = done(commit(transaction));
    assertEquals(store.store().info().scn(), scn);
    assertEquals("new", text(store.read(100)));
    assertNull(store.read(101));
    assertEquals("made", text(store.read(200)));
  }

  @Test
  void isOneRecordWhateverWasDoneInIt() {
    long before = store.store().info().scn();
    Transaction transaction = begin();
    for (int i = 0; i < 20; i++) {
      done(put(transaction, 100 + i % 3, "number " + i));
      done(put(transaction, 300 + i, "number " + i));
    }
    assertEquals("number 18", read(transaction, 100));
    done(remove(transaction, 305));
    assertEquals(before + 1, done(commit(transaction)));
    assertEquals("number 18", text(store.read(100)));
    assertNull(store.read(305));
  }

  @Test
  void rolledBackLeavesNothing() {
    long free = store.store().info().freeBytes();
    Transaction transaction = begin();
    done(put(transaction, 100, "new"));
    done(change(transaction, 200, StoreFixture.bytes(1, 300_000)));
    transaction.rollback();
    transaction.rollback();
    assertEquals("a hundred", text(store.read(100)));
    assertNull(store.read(200));
    assertEquals(free, store.store().info().freeBytes());
    assertInstanceOf(Failure.Closed.class, failure(put(transaction, 100, "late")));
    assertInstanceOf(Failure.Closed.class, failure(commit(transaction)));
    assertInstanceOf(Failure.Closed.class, failure(pin(transaction, 100)));
  }

  @Test
  void ownContentStaysReadableByWhoHoldsItWhateverTheEnd() {
    for (boolean commits : List.of(true, false)) {
      for (int size : new int[] {10, 5_000, 300_000}) {
        byte[] content = StoreFixture.bytes(size, size);
        Transaction transaction = begin();
        done(change(transaction, 100, content));
        PinnedContent pinned = done(pin(transaction, 100));
        if (commits) {
          done(commit(transaction));
          StoreTest.done(store.put(100, bytes("replaced")));
        } else {
          transaction.rollback();
        }
        StoreTest.done(store.put(102, StoreFixture.bytes(3, 300_000)));
        world.<Unit>get(store.store()::checkpoint);
        StoreTest.done(store.put(103, StoreFixture.bytes(4, 300_000)));
        assertArrayEquals(content, StoreFixture.read(world, pinned));
        pinned.close();
      }
    }
  }

  @Test
  void metadataAloneKeepsTheContentThatTheSnapshotHas() {
    Transaction transaction = begin();
    done(
        change(
            transaction,
            "touch",
            (view, out) -> {
              out.putInode(inode(view, 100).touched(7));
              return Completion.done();
            }));
    StoreTest.done(store.put(101, bytes("changed by another")));
    world.<Unit>get(store.store()::checkpoint);
    assertEquals("a hundred", read(transaction, 100));
    assertEquals("a hundred and one", read(transaction, 101));
    done(commit(transaction));
    assertEquals("a hundred", text(store.read(100)));
    assertEquals("changed by another", text(store.read(101)));
  }

  @Test
  void scansShowTheCoverAmongWhatIsBelow() {
    for (int i = 0; i < 20; i += 2) {
      property("p%02d".formatted(i), "below");
    }
    Transaction transaction = begin();
    for (int i = 0; i < 20; i += 3) {
      done(property(transaction, "p%02d".formatted(i), i % 4 == 0 ? null : "own"));
    }
    assertEquals(
        List.of(
            "p03=own",
            "p04=below",
            "p06=own",
            "p08=below",
            "p09=own",
            "p10=below",
            "p14=below",
            "p15=own",
            "p16=below",
            "p18=own"),
        scanned(transaction, view -> view.from(StoreTree.PROPERTIES, bytes("p03"))));
    assertEquals(
        List.of(
            "p14=below",
            "p10=below",
            "p09=own",
            "p08=below",
            "p06=own",
            "p04=below",
            "p03=own",
            "p02=below"),
        scanned(transaction, view -> view.below(StoreTree.PROPERTIES, bytes("p15"))));
    transaction.close();
  }

  private List<String> scanned(Transaction transaction, Function<View, View.Scan> scan) {
    return done(
        world.await(
            port ->
                transaction.<List<String>>query(
                    view -> {
                      List<String> all = new ArrayList<>();
                      View.Scan entries = scan.apply(view);
                      while (entries.next()) {
                        all.add(text(entries.key()) + "=" + text(entries.value()));
                      }
                      return Completion.done(all);
                    },
                    port)));
  }

  @Test
  void withoutChangesItCommitsNothing() {
    long before = store.store().info().scn();
    Transaction transaction = begin();
    assertEquals("a hundred", read(transaction, 100));
    assertEquals(before, done(commit(transaction)));
    assertEquals(before, store.store().info().scn());
  }

  @Test
  void aRefusedChangeLeavesTheRestAsItWas() {
    Transaction transaction = begin();
    done(put(transaction, 100, "new"));
    Completion<Unit> refused =
        change(
            transaction,
            "refused",
            (view, out) -> {
              out.putInode(inode(view, 101).touched(1));
              return Completion.failed(new Failure.Invalid("no"));
            });
    assertInstanceOf(Failure.Invalid.class, failure(refused));
    done(commit(transaction));
    assertEquals("new", text(store.read(100)));
    assertEquals("a hundred and one", text(store.read(101)));
  }

  @Test
  void whatNoRecordCanHoldIsTooLargeAtOnceAndTheRestCommits() {
    Transaction transaction = begin();
    int fit = 0;
    Completion<Unit> last = put(transaction, 1000, "x".repeat(3000));
    while (last instanceof Completion.Done<Unit>) {
      fit++;
      last = put(transaction, 1000 + fit, "x".repeat(3000));
    }
    assertInstanceOf(Failure.TooLarge.class, failure(last));
    done(commit(transaction));
    assertEquals("x".repeat(3000), text(store.read(1000 + fit - 1)));
    assertNull(store.read(1000 + fit));
  }

  @Test
  void segmentIdsStayThoseThatWereShown() {
    Transaction transaction = begin();
    long[] id = new long[1];
    Completion<Unit> made =
        change(
            transaction,
            "make",
            (view, out) -> {
              id[0] = out.newSegmentId();
              out.putInode(StoreFixture.file(id[0]));
              return Completion.done();
            });
    done(made);
    long shown = id[0];
    long[] others = new long[1];
    world.<Unit>get(
        port ->
            store
                .store()
                .<Unit>change(
                    (view, out) -> {
                      others[0] = out.newSegmentId();
                      out.putInode(StoreFixture.file(others[0]));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
    assertNotEquals(shown, others[0]);
    done(commit(transaction));
    assertEquals(shown, id[0]);
    assertEquals("", text(store.read(shown)));
  }

  // ------------------------------------------------------------------ with others

  @Test
  void theFirstToChangeWins() {
    Transaction transaction = begin();
    assertEquals("a hundred", read(transaction, 100));
    StoreTest.done(store.put(100, bytes("changed by another")));
    assertEquals("a hundred", read(transaction, 100));
    assertInstanceOf(Failure.Conflict.class, failure(put(transaction, 100, "lost")));
    assertInstanceOf(Failure.Conflict.class, failure(put(transaction, 101, "late")));
    assertInstanceOf(Failure.Conflict.class, failure(commit(transaction)));
    assertEquals("changed by another", text(store.read(100)));
    assertEquals(1, store.store().metrics().transactions().conflicts());
  }

  @Test
  void aChangeThatLeavesTheValueAsItWasIsAChange() {
    Transaction transaction = begin();
    world.<Unit>get(
        port ->
            store
                .store()
                .<Unit>change(
                    (view, out) -> {
                      out.putInode(inode(view, 100));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
    assertInstanceOf(Failure.Conflict.class, failure(put(transaction, 100, "lost")));
  }

  @Test
  void changesAreOnlyRememberedWhileATransactionIsOpen() {
    NewestChanges changes = ((StoreEngine) store.store()).newestChanges();
    assertEquals(0, changes.remembered());
    Transaction transaction = begin();
    StoreTest.done(store.put(100, bytes("changed by another")));
    assertEquals(1, changes.remembered());
    transaction.rollback();
    StoreTest.done(store.put(101, bytes("nobody asks")));
    assertEquals(1, changes.remembered());
  }

  @Test
  void othersWaitForTheLockInTheOrderOfTheirComing() {
    Transaction first = begin();
    Transaction second = begin();
    done(put(first, 100, "first"));
    Asked<Unit> waits = asked(port -> change(second, 100, bytes("second"), port));
    Asked<Unit> alone = asked(port -> store.put(100, staged("alone"), port));
    world.runUntil(() -> store.store().metrics().transactions().locks().waiting() == 2);
    done(commit(first));
    assertInstanceOf(Failure.Conflict.class, failure(waits.answer()));
    done(alone.answer());
    assertEquals("alone", text(store.read(100)));
  }

  @Test
  void aChangeThatStandsAloneWaitsAndGoesOn() {
    Transaction transaction = begin();
    done(put(transaction, 100, "in the transaction"));
    Asked<Unit> alone = asked(port -> store.put(100, staged("alone"), port));
    Asked<Unit> elsewhere = asked(port -> store.put(101, staged("elsewhere"), port));
    done(elsewhere.answer());
    transaction.rollback();
    done(alone.answer());
    assertEquals("alone", text(store.read(100)));
  }

  @Test
  void aLockIsNotWaitedForForEver() {
    Transaction one = begin();
    Transaction two = begin();
    done(put(one, 100, "one"));
    done(put(two, 101, "two"));
    assertInstanceOf(Failure.LockTimeout.class, failure(put(two, 100, "late")));
    assertInstanceOf(Failure.LockTimeout.class, failure(store.put(100, bytes("alone"))));
    done(commit(one));
    done(commit(two));
    assertEquals("one", text(store.read(100)));
    assertEquals("two", text(store.read(101)));
  }

  @Test
  void whoWouldCloseACycleIsRolledBackAndToldWhy() {
    Transaction one = begin();
    Transaction two = begin();
    done(put(one, 100, "one"));
    done(put(two, 101, "two"));
    Asked<Unit> waits = asked(port -> change(one, 101, bytes("one"), port));
    world.runUntil(() -> store.store().metrics().transactions().locks().waiting() == 1);
    Failure deadlock = failure(put(two, 100, "two"));
    assertInstanceOf(Failure.Deadlock.class, deadlock);
    assertTrue(
        deadlock
            .message()
            .contains(
                "transaction 2 (put 100) waits for segment 100, held by transaction 1; transaction"
                    + " 1 (put 101) waits for segment 101, held by transaction 2"),
        deadlock.message());
    done(waits.answer());
    assertInstanceOf(Failure.Deadlock.class, failure(commit(two)));
    done(commit(one));
    assertEquals("one", text(store.read(101)));
  }

  @Test
  void whatTheRecoveryFindsIsAllOrNothing() {
    Transaction transaction = begin();
    done(put(transaction, 100, "new"));
    done(change(transaction, 200, StoreFixture.bytes(1, 300_000)));
    done(commit(transaction));
    Transaction open = begin();
    done(put(open, 101, "never"));
    open.rollback();
    world = world.crashAndReopen();
    store = StoreFixture.open(world);
    assertEquals("new", text(store.read(100)));
    assertArrayEquals(StoreFixture.bytes(1, 300_000), store.read(200));
    assertEquals("a hundred and one", text(store.read(101)));
  }

  // ------------------------------------------------------------------ limits

  @Test
  void oneThatIsForgottenIsRolledBack() {
    Transaction transaction = begin();
    done(put(transaction, 100, "forgotten"));
    StagedContent staged = staged("alone");
    world.runUntilIdle();
    world.<Unit>get(port -> store.put(100, staged, port));
    assertInstanceOf(Failure.Cancelled.class, failure(commit(transaction)));
    assertEquals(1, store.store().metrics().transactions().expired());
  }

  @Test
  void oneThatOtherThreadsLookAtIsNotForgotten() {
    Transaction transaction = begin();
    for (int i = 0; i < 5; i++) {
      passes(TransactionConfig.DEFAULT.idleNanos() * 3 / 4);
      assertEquals("a hundred", elsewhere(transaction, 100));
    }
    done(put(transaction, 100, "new"));
    assertNull(elsewhere(transaction, 100), "its own changes are found by asking it");
    done(commit(transaction));
  }

  private void passes(long nanos) {
    boolean[] over = new boolean[1];
    world.dispatcher().schedule(nanos, () -> over[0] = true);
    assertTrue(world.runUntil(() -> over[0]));
  }

  /** What another thread finds in it; null where it must ask. */
  private static @Nullable String elsewhere(Transaction transaction, long id) {
    PublishedReads published = Objects.requireNonNull(transaction.published());
    return published.bytes(view -> Completion.done(view.inode(id)), 100)
            instanceof Completion.Done<byte[]>(byte[] bytes)
        ? text(bytes)
        : null;
  }

  @Test
  void closingRollsBackAndTellsWhoeverWaits() {
    Transaction one = begin();
    Transaction two = begin();
    done(put(one, 100, "one"));
    Asked<Unit> waits = asked(port -> change(two, 100, bytes("two"), port));
    Asked<Unit> next = asked(port -> change(two, 101, bytes("two"), port));
    Asked<Long> commits = asked(port -> two.commit(Durability.SYNC, port));
    world.runUntil(() -> store.store().metrics().transactions().locks().waiting() == 1);
    two.rollback();
    assertInstanceOf(Failure.Closed.class, failure(waits.answer()));
    assertInstanceOf(Failure.Closed.class, failure(next.answer()));
    assertInstanceOf(Failure.Closed.class, failure(commits.answer()));
    Transaction three = begin();
    done(put(three, 101, "three"));
    world.<Unit>get(store.store()::close);
    assertInstanceOf(Failure.Closed.class, failure(commit(one)));
    world = world.reopen(world.disk().contents());
    store = StoreFixture.open(world);
  }
}
