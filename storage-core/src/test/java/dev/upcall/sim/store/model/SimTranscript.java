package dev.upcall.sim.store.model;

import dev.upcall.history.Anomaly;
import dev.upcall.history.IsolationChecker;
import dev.upcall.history.TransactionHistory;
import dev.upcall.history.TransactionRecord;
import dev.upcall.history.TransactionRecord.Access;
import dev.upcall.txn.Store;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of one life of a store saw of their transactions, for a judge who knows nothing
 * of the model. A file's value is the version of its inode: no two commits give the same. What was
 * rolled back is in it with what it read only.
 */
public final class SimTranscript {
  private final Store store;
  private final TransactionHistory history = new TransactionHistory();
  private final List<Client> open = new ArrayList<>();
  private int clients;

  /** Begins with what is there; the model tells what is applied from now on. */
  public SimTranscript(Store store, SimModel model) {
    this.store = store;
    SimModel.Snapshot there = model.live();
    List<Access> writes = new ArrayList<>();
    there.files().forEach((id, state) -> writes.add(write(file(id), state)));
    there
        .properties()
        .forEach((key, value) -> writes.add(new TransactionRecord.Write(property(key), value)));
    history.initially(store.info().scn(), writes);
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

  private static Access write(String key, SimModel.@Nullable FileState state) {
    return new TransactionRecord.Write(
        key, state == null ? TransactionRecord.ABSENT : state.version());
  }

  private static void wrote(TransactionHistory.Open transaction, SimModel.Step step) {
    step.files()
        .forEach((id, state) -> transaction.wrote(file(id), write(file(id), state).value()));
    step.properties()
        .forEach(
            (key, value) ->
                transaction.wrote(property(key), value == null ? TransactionRecord.ABSENT : value));
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

    private void read(String key, @Nullable Long value) {
      transaction.read(key, value == null ? TransactionRecord.ABSENT : value);
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
