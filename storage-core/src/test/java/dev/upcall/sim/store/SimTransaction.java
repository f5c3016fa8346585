package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimLocks;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimTable;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.sim.store.model.SimTranscript;
import dev.upcall.sim.store.plan.SimHabits;
import dev.upcall.sim.store.plan.SimPlan;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Query;
import dev.upcall.txn.Store;
import dev.upcall.txn.Transaction;
import dev.upcall.txn.View;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client's transaction: some steps with pauses, then a commit, a rollback, or nothing more. What
 * it reads is what was there when it began with its own changes on top; what it has changed nobody
 * else changes before it ends; when its commit is applied, what it changed is what it was when it
 * began; and all of it is one step of the model.
 */
final class SimTransaction {
  private static final int MOST_STEPS = 8;

  private final SimClients clients;
  private final Store store;
  private final SimModel model;
  private final SimHabits habits;
  private final SplittableRandom random;
  private final SimTransactionSteps steps;
  private final Runnable over;
  private SimModel.Snapshot atBeginning = new SimModel.Snapshot();
  private SimModel.Snapshot own = atBeginning;
  private final TreeMap<Long, SimModel.@Nullable FileState> files = new TreeMap<>();

  /** How many bytes of content files got whole. */
  private final TreeMap<Long, Long> written = new TreeMap<>();

  /** How many bytes ranges brought to files, on top of that. */
  private final TreeMap<Long, Long> ranged = new TreeMap<>();

  private final TreeMap<Long, @Nullable Long> properties = new TreeMap<>();

  /** Of tables that were there at the beginning and still are: what entries are now. */
  private final TreeMap<Long, TreeMap<Long, @Nullable Long>> entries = new TreeMap<>();

  /** Tables that came or went. */
  private final TreeSet<Long> places = new TreeSet<>();

  private final SimLocks.Holder holder = new SimLocks.Holder();
  private final SimTranscript.Client record;
  private int left;
  private int number;
  private Transaction transaction;

  /**
   * A transaction that was not begun.
   *
   * @param over hears of its end
   */
  SimTransaction(
      SimClients clients,
      Store store,
      SimModel model,
      SimClients.Means means,
      SplittableRandom random,
      Runnable over) {
    this.clients = clients;
    this.store = store;
    this.model = model;
    this.habits = means.habits();
    this.random = random;
    this.over = over;
    this.steps = new SimTransactionSteps(this, clients, store, means, random);
    this.record = means.transcript().begin();
    this.left = random.nextInt(MOST_STEPS);
  }

  void begin() {
    asked();
    SimModel.Asked expected = model.ask();
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
              atBeginning = model.shownBy(expected, begun.scn());
              own = atBeginning.copy();
              again();
            }
          }
        });
  }

  /** Something is asked of the transaction: from now on it must not be forgotten for a while. */
  void asked() {
    holder.mayEnd();
    holder.asked(now(), SimPlan.LEAST_IDLE_NANOS);
  }

  private long now() {
    return store.dispatcher().upcallNanos();
  }

  void again() {
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
    if (habits.tables() && random.nextInt(3) == 0) {
      steps.tables();
      return;
    }
    if (habits.ranges() && random.nextBoolean()) {
      steps.ranges(id);
      return;
    }
    if (habits.churn() && random.nextBoolean()) {
      steps.property();
      return;
    }
    switch (random.nextInt(10)) {
      case 0 -> lookAtAll();
      case 1, 2 -> read(id);
      case 3 -> steps.remove(id);
      case 4 -> steps.touch(id);
      case 5 -> steps.property();
      case 6 -> steps.cloneOf(clients.id(), id);
      case 7 -> rangesOrCopies(id);
      default -> steps.put(id);
    }
  }

  private void rangesOrCopies(long id) {
    if (habits.edits() && random.nextBoolean()) {
      steps.copy(clients.id(), id);
    } else {
      steps.ranges(id);
    }
  }

  // What it sees.

  private void lookAtAll() {
    asked();
    Query<SimModel.Snapshot> all = view -> Completion.done(SimInspection.look(view));
    if (SimLooker.elsewhere(transaction, all)
        instanceof Completion.Done<SimModel.Snapshot>(SimModel.Snapshot found)) {
      checkSeen("elsewhere", found);
    }
    transaction.query(
        all,
        completion -> {
          switch (completion) {
            case Completion.Failed<SimModel.Snapshot>(Failure failure) -> failed(failure);
            case Completion.Done<SimModel.Snapshot>(SimModel.Snapshot found) -> {
              checkSeen("by the store", found);
              record(found);
              again();
            }
          }
        });
  }

  private void checkSeen(String where, SimModel.Snapshot found) {
    SimInspection.checkThat(
        own.looksLike(found),
        () ->
            "transaction %d of %d, looked at %s, sees %s%n instead of %s"
                .formatted(transaction.id(), transaction.scn(), where, found, own));
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
    for (long place : SimTables.places()) {
      recordTable(place, SimTables.keys(), found.tables().get(place));
    }
  }

  /** Looked first, a step has found the entries that it changes as they should be. */
  void recordEntries(List<SimTables.Op> ops) {
    ops.forEach(op -> recordTable(op.place(), List.of(op.from()), own.tables().get(op.place())));
  }

  private void recordTable(long place, List<Long> keys, @Nullable SimTable found) {
    if (places.contains(place)) {
      return;
    }
    record.table(place, found);
    if (found != null) {
      Set<Long> changed = entries.getOrDefault(place, new TreeMap<>()).keySet();
      keys.stream().filter(key -> !changed.contains(key)).forEach(key -> record.entry(found, key));
    }
  }

  void recordFile(long id, SimModel.@Nullable FileState found) {
    if (!files.containsKey(id)) {
      record.file(id, found == null ? null : found.version());
    }
  }

  void read(long id) {
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

  @Nullable Inode seen(View view, long id, SimModel.@Nullable FileState expected) {
    Inode inode = view.inode(id);
    boolean same =
        inode == null
            ? expected == null
            : expected != null
                && expected.version() == inode.version()
                && expected.size() == inode.size();
    SimInspection.checkThat(
        same,
        () ->
            "a transaction finds file %d as %s, not %s"
                .formatted(id, SimInspection.text(inode), expected));
    SimFileNames.check(view, id, inode != null);
    return inode;
  }

  // What its steps tell.

  /** What a step must find. */
  SimModel.Snapshot own() {
    return own;
  }

  Transaction asTransaction() {
    return transaction;
  }

  /** A step made this of a file; null for nothing. */
  void changed(long id, SimModel.@Nullable FileState state, boolean content) {
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

  /** A range of one file was copied into another. */
  void akin(SimModel.FileState source, SimModel.FileState target) {
    model.akin(source.content(), target.content());
  }

  /** Ranges brought so many bytes to a file. */
  void ranged(long id, long bytes) {
    ranged.merge(id, bytes, Long::sum);
  }

  /** A step gave a property a value, or none. */
  void changedProperty(long key, @Nullable Long value) {
    properties.put(key, value);
    if (value == null) {
      own.properties().remove(key);
    } else {
      own.properties().put(key, value);
    }
    model.locks().property(key, holder);
  }

  /** A step did this to tables. */
  void changedTables(List<SimTables.Op> ops) {
    TreeMap<Long, @Nullable SimTable> applied = SimTables.applied(ops, own.tables());
    applied.forEach(
        (place, after) -> {
          SimTable before = own.tables().get(place);
          if (before == null || after == null || before.id() != after.id()) {
            places.add(place);
          } else {
            TreeMap<Long, @Nullable Long> changed =
                entries.computeIfAbsent(place, any -> new TreeMap<>());
            before.changed(ops, place).forEach(key -> changed.put(key, after.entries().get(key)));
          }
        });
    own.applyTables(applied);
  }

  private void applyTables(SimModel.Step step) {
    TreeMap<Long, @Nullable SimTable> after = new TreeMap<>();
    entries.forEach(
        (place, changed) -> {
          SimTable then = atBeginning.tables().get(place);
          SimTable now = model.live().tables().get(place);
          if (places.contains(place)) {
            return;
          }
          SimInspection.checkThat(
              then != null && now != null && then.id() == now.id(),
              () -> "entries of table " + place + ", which is gone");
          TreeMap<Long, Long> all = new TreeMap<>(now.entries());
          changed.forEach(
              (key, value) -> {
                check(
                    "entry %d of %d".formatted(key, place),
                    now.entries().get(key),
                    then.entries().get(key));
                if (value == null) {
                  all.remove(key);
                } else {
                  all.put(key, value);
                }
              });
          after.put(place, new SimTable(now.id(), all));
        });
    places.forEach(place -> after.put(place, own.tables().get(place)));
    step.tables(after);
  }

  private boolean changesTables() {
    return !entries.isEmpty() || !places.isEmpty();
  }

  // How it ends.

  void failed(Failure failure) {
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
              () -> "after " + failure + " the commit says " + completion);
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
    boolean changes = !files.isEmpty() || !properties.isEmpty() || changesTables();
    SimInspection.checkThat(changes == number > 0, () -> "committed, and applied as " + number);
    SimInspection.checkThat(
        scn > transaction.scn() == changes,
        () -> "committed as " + scn + " of " + transaction.scn());
    if (durability == Durability.SYNC) {
      model.require(number);
    } else {
      model.acknowledgedEarly(number);
    }
  }

  private void notCommitted(Failure failure) {
    boolean ordinary = failure instanceof Failure.Conflict || failure instanceof Failure.Cancelled;
    if (!ordinary) {
      clients.refused(failure);
    }
    boolean nobodyKnows =
        failure instanceof Failure.Device
            || failure instanceof Failure.ReadOnly
            || failure instanceof Failure.Closed;
    SimInspection.checkThat(
        number == 0 || nobodyKnows, () -> "applied, and then refused: " + failure.message());
  }

  /** Runs once for each step, in the upcall that applies the transaction. */
  void applied() {
    if (number > 0) {
      return;
    }
    for (long id : files.keySet()) {
      check("file " + id, model.live().files().get(id), atBeginning.files().get(id));
    }
    for (long key : properties.keySet()) {
      check(
          "property " + key, model.live().properties().get(key), atBeginning.properties().get(key));
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
    applyTables(step);
    number = model.apply(step);
    record.applied(step);
    model.locks().release(holder);
  }

  private void check(String what, @Nullable Object now, @Nullable Object then) {
    SimInspection.checkThat(
        Objects.equals(now, then),
        () ->
            "lost update: %s was %s when the transaction began, and is %s when it commits"
                .formatted(what, then, now));
  }
}
