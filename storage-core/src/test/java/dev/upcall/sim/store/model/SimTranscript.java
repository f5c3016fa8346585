package dev.upcall.sim.store.model;

import dev.upcall.history.Anomaly;
import dev.upcall.history.IsolationChecker;
import dev.upcall.history.TransactionHistory;
import dev.upcall.history.TransactionRecord;
import dev.upcall.history.TransactionRecord.Access;
import dev.upcall.txn.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that the clients of one life of a store saw of their transactions, and what was left of it at
 * the next opening, for a judge who knows nothing of the model. A file's value is the version of
 * its inode, that of a place of tables the id of the table there, that of an entry the stamp of its
 * value: no two commits give the same. A transaction that was rolled back is in it with its reads
 * alone.
 */
public final class SimTranscript {
  private final Store store;
  private final TransactionHistory history = new TransactionHistory();
  private final List<Client> open = new ArrayList<>();

  /** As all that was applied so far has left them, by their places. */
  private final TreeMap<Long, SimTable> tables = new TreeMap<>();

  private int clients;
  private long durableScn;

  /** Begins with what is there; the model tells what is applied from now on. */
  public SimTranscript(Store store, SimModel model) {
    this.store = store;
    List<Access> writes = new ArrayList<>();
    values(model.live())
        .forEach((key, value) -> writes.add(new TransactionRecord.Write(key, value)));
    tables.putAll(model.live().tables());
    // Not the present one: the store's own changes since the opening may be lost.
    history.initially(store.info().opening().scn(), writes);
    model.tell(this);
  }

  /** A change that stands alone was applied in this upcall. */
  public void applied(SimModel.Step step) {
    long scn = store.info().scn();
    TransactionHistory.Open alone = history.begin(++clients, now());
    alone.snapshot(scn - 1);
    wrote(alone, step);
    alone.committed(scn, /* durable= */ false, Long.MAX_VALUE);
  }

  /** All changes up to one were acknowledged as durable. */
  void durable(long scn) {
    durableScn = Math.max(durableScn, scn);
  }

  /**
   * The next opening shows this: the state of one moment, to which nothing durable was still to
   * come.
   *
   * @throws AssertionError if it does not
   */
  void left(long scn, SimModel.Snapshot found) {
    SimInspection.checkThat(
        scn >= durableScn,
        () -> "acknowledged as durable up to %d, and %d is left".formatted(durableScn, scn));
    TransactionHistory.Open reader = history.begin(++clients, 0);
    reader.snapshot(scn);
    Map<String, Long> values = values(found);
    for (TransactionRecord each : history.all()) {
      for (Access access : each.accesses()) {
        if (!isEntry(access.key())) {
          values.putIfAbsent(access.key(), TransactionRecord.ABSENT);
        }
      }
    }
    values.forEach(reader::read);
    reader.committed(scn, /* durable= */ false, now());
    judge();
  }

  /** A client is about to ask for a transaction. */
  public Client begin() {
    Client client = new Client();
    open.add(client);
    return client;
  }

  /**
   * The life is over.
   *
   * @return how many transactions there were
   * @throws AssertionError if what they saw is not snapshot isolation
   */
  public int judge() {
    List.copyOf(open).forEach(Client::neverEnded);
    List<TransactionRecord> all = history.all();
    List<Anomaly> anomalies = IsolationChecker.check(all);
    SimInspection.checkThat(
        anomalies.isEmpty(), "not isolated: " + anomalies.stream().limit(5).toList());
    return all.size();
  }

  private long now() {
    return store.dispatcher().clock().monotonicNanos();
  }

  private static String file(long id) {
    return "f" + id;
  }

  private static String property(long key) {
    return "p" + key;
  }

  private static String place(long place) {
    return "t" + place;
  }

  private static String entry(SimTable table, long key) {
    return "e" + table.id() + "/" + key;
  }

  private static boolean isEntry(String key) {
    return key.startsWith("e");
  }

  /** The versions of all that is there, and of tables those of what is not, too. */
  private static Map<String, Long> values(SimModel.Snapshot there) {
    Map<String, Long> values = new TreeMap<>();
    there.files().forEach((id, state) -> values.put(file(id), state.version()));
    there.properties().forEach((key, value) -> values.put(property(key), value));
    for (long place : SimTables.places()) {
      SimTable table = there.tables().get(place);
      values.put(place(place), table == null ? TransactionRecord.ABSENT : table.id());
      if (table != null) {
        SimTables.keys()
            .forEach(key -> values.put(entry(table, key), orAbsent(table.entries().get(key))));
      }
    }
    return values;
  }

  private static long orAbsent(@Nullable Long value) {
    return value == null ? TransactionRecord.ABSENT : value;
  }

  private void wrote(TransactionHistory.Open transaction, SimModel.Step step) {
    step.files()
        .forEach(
            (id, state) ->
                transaction.wrote(file(id), orAbsent(state == null ? null : state.version())));
    step.properties().forEach((key, value) -> transaction.wrote(property(key), orAbsent(value)));
    step.tables().forEach((place, after) -> wrote(transaction, place, after));
  }

  private void wrote(TransactionHistory.Open transaction, long place, @Nullable SimTable after) {
    SimTable before = after == null ? tables.remove(place) : tables.put(place, after);
    if (after == null) {
      transaction.wrote(place(place), TransactionRecord.ABSENT);
      return;
    }
    boolean isNew = before == null || before.id() != after.id();
    if (isNew) {
      transaction.wrote(place(place), after.id());
    }
    SimTable old = isNew ? new SimTable(after.id(), new TreeMap<>()) : before;
    old.differences(after)
        .forEach(key -> transaction.wrote(entry(after, key), orAbsent(after.entries().get(key))));
  }

  /** One transaction under way. */
  public final class Client {
    private final TransactionHistory.Open transaction = history.begin(++clients, now());
    private long snapshotScn;
    private long appliedScn;

    /** It has begun. */
    public void begun(long scn) {
      snapshotScn = scn;
      transaction.snapshot(scn);
    }

    /** It was told which version a file has, which it has not changed; null for none. */
    public void file(long id, @Nullable Long version) {
      read(SimTranscript.file(id), version);
    }

    /** It was told the value of a property, which it has not changed; null for none. */
    public void property(long key, @Nullable Long value) {
      read(SimTranscript.property(key), value);
    }

    /** It was told which table is in a place, which it has not changed; null for none. */
    public void table(long place, @Nullable SimTable table) {
      read(SimTranscript.place(place), table == null ? null : table.id());
    }

    /** It was told the value of an entry of a table, which it has not changed. */
    public void entry(SimTable table, long key) {
      read(SimTranscript.entry(table, key), table.entries().get(key));
    }

    private void read(String key, @Nullable Long value) {
      transaction.read(key, orAbsent(value));
    }

    /** What it did was applied in this upcall. */
    public void applied(SimModel.Step step) {
      appliedScn = store.info().scn();
      wrote(transaction, step);
    }

    /** It has heard of its end; whether it was applied is known already. */
    public void ended(boolean committed) {
      open.remove(this);
      if (appliedScn > 0) {
        transaction.committed(appliedScn, /* durable= */ false, now());
      } else if (committed) {
        transaction.committed(snapshotScn, /* durable= */ false, now());
      } else {
        transaction.rolledBack(now());
      }
    }

    private void neverEnded() {
      ended(/* committed= */ false);
    }
  }
}
