package dev.upcall.txn;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Unit;
import dev.upcall.segment.ContentStager;
import dev.upcall.segment.Inode;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.StagedContent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Clients that run transactions: several changes and reads with pauses, then a commit, a rollback,
 * or nothing more. What one reads is what was there when it began with its own changes on top; what
 * it has changed nobody else changes before it ends; when its commit is applied, what it changed is
 * what it was when it began; and all of it is one step of the model.
 */
final class SimTransactions {
  private static final int MOST_STEPS = 8;

  private final SimClients clients;
  private final Store store;
  private final SimModel model;
  private final SimHabits habits;
  private final SimClients.SimStamps stamps;
  private final SimTranscript transcript;
  private final SplittableRandom random;

  SimTransactions(
      SimClients clients,
      Store store,
      SimModel model,
      SimClients.Means means,
      SplittableRandom random) {
    this.clients = clients;
    this.store = store;
    this.model = model;
    this.habits = means.habits();
    this.stamps = means.stamps();
    this.transcript = means.transcript();
    this.random = random;
  }

  /** Begins a transaction and sees it to its end, or forgets it. */
  void run(Runnable over) {
    new Running(over).begin();
  }

  /** One transaction. */
  private final class Running {
    private final Runnable over;
    private final SimModel.Snapshot atBeginning = model.live().copy();
    private final SimModel.Snapshot own = atBeginning.copy();
    private final TreeMap<Long, SimModel.@Nullable FileState> files = new TreeMap<>();

    /** How many bytes of content files got whole. */
    private final TreeMap<Long, Long> written = new TreeMap<>();

    /** How many bytes ranges brought to files, on top of that. */
    private final TreeMap<Long, Long> ranged = new TreeMap<>();

    private final TreeMap<Long, Long> properties = new TreeMap<>();
    private final SimLocks.Holder holder = new SimLocks.Holder();
    private final SimTranscript.Client record = transcript.begin();
    private int left = random.nextInt(MOST_STEPS);
    private int number;
    private Transaction transaction;

    Running(Runnable over) {
      this.over = over;
    }

    void begin() {
      asked();
      store.begin(
          completion -> {
            switch (completion) {
              case Completion.Failed<Transaction>(Failure failure) -> {
                clients.refused(failure);
                record.ended(/* committed= */ false);
                over.run();
              }
              case Completion.Done<Transaction>(Transaction begun) -> {
                record.begun(begun.scn());
                transaction = begun;
                again();
              }
            }
          });
    }

    /** Something is asked of the transaction: from now on it must not be forgotten for a while. */
    private void asked() {
      holder.mayEnd();
      holder.asked(now(), SimPlan.LEAST_IDLE_NANOS);
    }

    private long now() {
      return store.dispatcher().upcallNanos();
    }

    private void again() {
      holder.goesOn();
      clients.pause(this::next);
    }

    private void next() {
      if (left-- > 0) {
        step();
        return;
      }
      switch (random.nextInt(10)) {
        case 0, 1 -> rollBack();
        case 2 -> over.run();
        default -> commit();
      }
    }

    private void step() {
      long id = clients.id();
      if (habits.ranges() && random.nextBoolean()) {
        ranges(id);
        return;
      }
      switch (random.nextInt(10)) {
        case 0 -> lookAtAll();
        case 1, 2 -> read(id);
        case 3 -> remove(id);
        case 4 -> touch(id);
        case 5 -> property(random.nextInt(SimHabits.PROPERTIES), stamps.next());
        case 6 -> cloneOf(clients.id(), id);
        case 7 -> ranges(id);
        default -> put(id);
      }
    }

    // What it sees.

    private void lookAtAll() {
      asked();
      transaction.query(
          view -> Completion.done(SimInspection.look(view)),
          completion -> {
            switch (completion) {
              case Completion.Failed<SimModel.Snapshot>(Failure failure) -> failed(failure);
              case Completion.Done<SimModel.Snapshot>(SimModel.Snapshot found) -> {
                SimInspection.checkThat(
                    own.looksLike(found),
                    "transaction %d of %d sees %s%n instead of %s"
                        .formatted(transaction.id(), transaction.scn(), found, own));
                record(found);
                again();
              }
            }
          });
    }

    private void record(SimModel.Snapshot found) {
      for (int file = 0; file < habits.files(); file++) {
        long id = SimClients.FIRST_ID + file;
        recordFile(id, found.files().get(id));
      }
      for (long key = 0; key < SimHabits.PROPERTIES; key++) {
        if (!properties.containsKey(key)) {
          record.property(key, found.properties().get(key));
        }
      }
    }

    private void recordFile(long id, SimModel.@Nullable FileState found) {
      if (!files.containsKey(id)) {
        record.file(id, found == null ? null : found.version());
      }
    }

    private void read(long id) {
      SimModel.FileState expected = own.files().get(id);
      asked();
      transaction.pin(
          view -> {
            Inode inode = seen(view, id, expected);
            return inode == null
                ? Completion.failed(new Failure.NotFound("file " + id))
                : Completion.done(inode);
          },
          StoreFixture.OWNER,
          completion -> {
            switch (completion) {
              case Completion.Failed<PinnedContent>(Failure.NotFound _) -> {
                recordFile(id, null);
                again();
              }
              case Completion.Failed<PinnedContent>(Failure failure) -> failed(failure);
              case Completion.Done<PinnedContent>(PinnedContent content) -> {
                recordFile(id, expected);
                new SimReader(content, expected.bytes(), random, clients.manners(), this::again)
                    .next(0);
              }
            }
          });
    }

    private @Nullable Inode seen(View view, long id, SimModel.@Nullable FileState expected) {
      Inode inode = view.inode(id);
      boolean same =
          inode == null
              ? expected == null
              : expected != null
                  && expected.version() == inode.version()
                  && expected.size() == inode.size();
      SimInspection.checkThat(
          same, "a transaction finds file %d as %s, not %s".formatted(id, inode, expected));
      return inode;
    }

    // What it changes.

    private void put(long id) {
      if (store.refusesContent() != null) {
        again();
        return;
      }
      long content = stamps.next();
      int size = habits.size(random);
      ContentStager stager = store.stage(StoreFixture.OWNER);
      stager.append(
          ByteBuffer.wrap(StoreFixture.bytes(content, size)),
          appended -> {
            if (appended instanceof Completion.Failed<Unit>(Failure failure)) {
              stager.discard();
              failed(failure);
            } else {
              stager.finish(
                  finished -> {
                    switch (finished) {
                      case Completion.Failed<StagedContent>(Failure failure) -> {
                        stager.discard();
                        failed(failure);
                      }
                      case Completion.Done<StagedContent>(StagedContent staged) ->
                          put(id, new SimModel.FileState(0, content, size), staged);
                    }
                  });
            }
          });
    }

    private void put(long id, SimModel.FileState state, StagedContent staged) {
      long stamp = stamps.next();
      changeFile(
          id,
          List.of(staged),
          (old, out) -> {
            Inode next = old == null ? StoreFixture.file(id, stamp << 32) : old.touched(stamp);
            out.putInode(next, staged);
            return new SimModel.FileState(next.version(), state.content(), state.size());
          });
    }

    private void touch(long id) {
      long stamp = stamps.next();
      SimModel.FileState before = own.files().get(id);
      if (before == null) {
        again();
        return;
      }
      changeFile(
          id,
          List.of(),
          (old, out) -> {
            Inode next = Objects.requireNonNull(old).touched(stamp);
            out.putInode(next);
            return before.touched(next.version());
          });
    }

    /** The source must be at the commit what it was at the beginning, or there is none. */
    private void cloneOf(long from, long to) {
      long stamp = stamps.next();
      SimModel.FileState source = own.files().get(from);
      if (source == null || from == to) {
        again();
        return;
      }
      changeFile(
          to,
          List.of(),
          (old, out) -> {
            Inode next = old == null ? StoreFixture.file(to, stamp << 32) : old.touched(stamp);
            out.putClone(next, from);
            return source.touched(next.version());
          });
    }

    /** Ranges of a file, written through a handle. */
    private void ranges(long id) {
      SimModel.FileState before = own.files().get(id);
      if (before == null) {
        again();
        return;
      }
      asked();
      new SimRanges(clients, store, random)
          .run(
              transaction,
              id,
              before,
              new SimRanges.Judge() {
                @Override
                public void planned(View view, SegmentMutations out, SimModel.FileState expected) {
                  seen(view, id, expected);
                  out.onApplied(Running.this::applied);
                }

                @Override
                public void flushed(
                    SimModel.FileState expected, SimModel.FileState after, long writtenBytes) {
                  recordFile(id, expected);
                  ranged.merge(id, writtenBytes, Long::sum);
                  changed(id, after, false);
                  asked();
                }

                @Override
                public void over(Completion<Unit> completion) {
                  switch (completion) {
                    case Completion.Failed<Unit>(Failure failure) -> failed(failure);
                    case Completion.Done<Unit> _ -> read(id);
                  }
                }
              });
    }

    private void remove(long id) {
      if (own.files().get(id) == null) {
        again();
        return;
      }
      changeFile(
          id,
          List.of(),
          (old, out) -> {
            out.removeSegment(Objects.requireNonNull(old));
            return null;
          });
    }

    private void changeFile(long id, List<StagedContent> content, FileChange change) {
      SimModel.FileState expected = own.files().get(id);
      SimModel.@Nullable FileState[] after = new SimModel.@Nullable FileState[1];
      asked();
      transaction.change(
          new TransactionStep<Unit>(
              "file " + id,
              (view, out) -> {
                after[0] = change.plan(seen(view, id, expected), out);
                out.onApplied(this::applied);
                return Completion.done();
              },
              content),
          completion -> {
            switch (completion) {
              case Completion.Failed<Unit>(Failure failure) -> failed(failure);
              case Completion.Done<Unit> _ -> {
                recordFile(id, expected);
                changed(id, after[0], !content.isEmpty());
                again();
              }
            }
          });
    }

    private void changed(long id, SimModel.@Nullable FileState state, boolean content) {
      if (content) {
        written.put(id, (long) Objects.requireNonNull(state).size());
      }
      files.put(id, state);
      if (state == null) {
        own.files().remove(id);
      } else {
        own.files().put(id, state);
      }
      model.locks().file(id, holder);
    }

    private void property(long key, long value) {
      asked();
      transaction.change(
          new TransactionStep<Unit>(
              "property " + key,
              (view, out) -> {
                out.put(Trees.PROPERTIES, TreeKeys.of(key), TreeKeys.of(value));
                out.onApplied(this::applied);
                return Completion.done();
              },
              List.of()),
          completion -> {
            switch (completion) {
              case Completion.Failed<Unit>(Failure failure) -> failed(failure);
              case Completion.Done<Unit> _ -> {
                properties.put(key, value);
                own.properties().put(key, value);
                model.locks().property(key, holder);
                again();
              }
            }
          });
    }

    // How it ends.

    private void failed(Failure failure) {
      boolean ends =
          failure instanceof Failure.Conflict
              || failure instanceof Failure.Deadlock
              || failure instanceof Failure.Cancelled
              || failure instanceof Failure.Closed;
      if (failure instanceof Failure.Closed) {
        clients.refused(failure);
      } else if (!ends) {
        clients.refused(failure);
        again();
        return;
      }
      model.locks().release(holder);
      transaction.commit(
          Durability.SYNC,
          completion -> {
            SimInspection.checkThat(
                completion instanceof Completion.Failed<Long>(Failure again)
                    && again.getClass() == failure.getClass(),
                "after " + failure + " the commit says " + completion);
            record.ended(/* committed= */ false);
            over.run();
          });
    }

    private void rollBack() {
      transaction.rollback();
      model.locks().release(holder);
      record.ended(/* committed= */ false);
      over.run();
    }

    private void commit() {
      Durability durability = clients.durability();
      holder.mayEnd();
      transaction.commit(
          durability,
          completion -> {
            model.locks().release(holder);
            switch (completion) {
              case Completion.Done<Long>(Long scn) -> committed(durability, scn);
              case Completion.Failed<Long>(Failure failure) -> notCommitted(failure);
            }
            record.ended(completion instanceof Completion.Done);
            over.run();
          });
    }

    private void committed(Durability durability, long scn) {
      boolean changes = !files.isEmpty() || !properties.isEmpty();
      SimInspection.checkThat(changes == number > 0, "committed, and applied as " + number);
      SimInspection.checkThat(
          scn > transaction.scn() == changes, "committed as " + scn + " of " + transaction.scn());
      if (durability == Durability.SYNC) {
        model.require(number);
      } else {
        model.acknowledgedEarly(number);
      }
    }

    private void notCommitted(Failure failure) {
      boolean ordinary =
          failure instanceof Failure.Conflict || failure instanceof Failure.Cancelled;
      if (!ordinary) {
        clients.refused(failure);
      }
      boolean nobodyKnows =
          failure instanceof Failure.Device
              || failure instanceof Failure.ReadOnly
              || failure instanceof Failure.Closed;
      SimInspection.checkThat(
          number == 0 || nobodyKnows, "applied, and then refused: " + failure.message());
    }

    /** Runs once for each step, in the upcall that applies the transaction. */
    private void applied() {
      if (number > 0) {
        return;
      }
      for (long id : files.keySet()) {
        check("file " + id, model.live().files().get(id), atBeginning.files().get(id));
      }
      for (long key : properties.keySet()) {
        check(
            "property " + key,
            model.live().properties().get(key),
            atBeginning.properties().get(key));
      }
      holder.goesOn();
      SimModel.Step step = new SimModel.Step(now()).by(holder);
      files.forEach(
          (id, state) -> {
            long whole = written.getOrDefault(id, 0L);
            if (state == null) {
              step.file(id, null);
            } else {
              step.content(id, state, Math.min(whole, state.size()) + ranged.getOrDefault(id, 0L));
            }
          });
      properties.forEach(step::property);
      number = model.apply(step);
      record.applied(step);
      model.locks().release(holder);
    }

    private void check(String what, @Nullable Object now, @Nullable Object then) {
      SimInspection.checkThat(
          Objects.equals(now, then),
          "lost update: %s was %s when the transaction began, and is %s when it commits"
              .formatted(what, then, now));
    }
  }

  /** What a step does to a file. */
  private interface FileChange {
    SimModel.@Nullable FileState plan(@Nullable Inode old, SegmentMutations out);
  }
}
