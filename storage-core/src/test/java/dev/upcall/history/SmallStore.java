package dev.upcall.history;

import dev.upcall.history.Anomaly.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Snapshot isolation in a few lines, and what can be wrong with it: makes histories for the tests
 * of their judge. Versions by SCN; a transaction reads those of its snapshot, and of two that write
 * the same key the first one to commit wins.
 */
final class SmallStore {
  /** What is wrong, and as what it shows. */
  enum Fault {
    /** Nothing. */
    NONE(Kind.MALFORMED),
    /** Nobody looks whether another has written the same. */
    BOTH_COMMIT(Kind.LOST_UPDATE),
    /** Reads see what is not committed yet, and may never be. */
    READS_UNCOMMITTED(Kind.DIRTY_READ),
    /** Reads see what others write, in between as well. */
    READS_HALF_DONE(Kind.INTERMEDIATE_READ),
    /** Each read has a snapshot of its own. */
    READS_THE_NEWEST(Kind.READ_FROM_THE_FUTURE),
    /** A key may be read twice, from two snapshots. */
    READS_DRIFT(Kind.UNREPEATABLE_READ),
    /** A commit becomes visible key by key. */
    COMMITS_IN_PIECES(Kind.TORN_READ),
    /** What was acknowledged is gone. */
    FORGETS_COMMITS(Kind.STALE_READ),
    /** Transactions begin on an old state. */
    BEGINS_IN_THE_PAST(Kind.STALE_SNAPSHOT),
    /** A transaction does not see its own writes. */
    MISSES_OWN_WRITES(Kind.OWN_WRITE_MISSED);

    private final Kind found;

    Fault(Kind found) {
      this.found = found;
    }

    /** As what the judge must find it. */
    Kind found() {
      return found;
    }
  }

  private static final int KEYS = 5;

  private final SplittableRandom random;
  private final Fault fault;
  private final Map<String, TreeMap<Long, Long>> versions = new HashMap<>();
  private final Map<String, Long> unfinished = new HashMap<>();
  private final TransactionHistory history = new TransactionHistory();
  private long scn = 1;
  private long lastValue;
  private long nanos;

  private SmallStore(long seed, Fault fault) {
    this.random = new SplittableRandom(seed);
    this.fault = fault;
    List<TransactionRecord.Access> there = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      versions.put("k" + i, new TreeMap<>(Map.of(0L, TransactionRecord.ABSENT)));
      if (random.nextBoolean()) {
        versions.get("k" + i).put(scn, ++lastValue);
        there.add(new TransactionRecord.Write("k" + i, lastValue));
      }
    }
    history.initially(scn, there);
  }

  /** A history of clients that get in each other's way. */
  static List<TransactionRecord> run(long seed, Fault fault, int transactions) {
    SmallStore store = new SmallStore(seed, fault);
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(store.new Client(i));
    }
    int begun = 0;
    while (begun < transactions) {
      begun += clients.get(store.random.nextInt(clients.size())).step() ? 1 : 0;
    }
    clients.forEach(Client::giveUp);
    return store.history.all();
  }

  /** A history of one transaction after the other. */
  static List<TransactionRecord> serial(long seed, int transactions) {
    SmallStore store = new SmallStore(seed, Fault.NONE);
    Client client = store.new Client(0);
    int begun = 0;
    while (begun < transactions) {
      begun += client.step() ? 1 : 0;
    }
    client.giveUp();
    return store.history.all();
  }

  /** A client with at most one transaction. */
  private final class Client {
    private final int number;
    private TransactionHistory.Open open;
    private long snapshot;
    private final Map<String, Long> writes = new HashMap<>();
    private final Set<String> readBefore = new HashSet<>();

    Client(int number) {
      this.number = number;
    }

    /** One step; true when it began a transaction. */
    boolean step() {
      nanos++;
      if (open == null) {
        writes.clear();
        readBefore.clear();
        open = history.begin(number, nanos);
        snapshot = fault == Fault.BEGINS_IN_THE_PAST ? Math.max(1, scn - 2) : scn;
        open.snapshot(snapshot);
        return true;
      }
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> read(key());
        case 4, 5, 6 -> write(key());
        case 7 -> roll();
        default -> commit();
      }
      return false;
    }

    private void read(String key) {
      Long own = fault == Fault.MISSES_OWN_WRITES ? null : writes.get(key);
      open.read(key, own == null ? seen(key) : own);
      readBefore.add(key);
    }

    private long seen(String key) {
      boolean dirty = fault == Fault.READS_UNCOMMITTED || fault == Fault.READS_HALF_DONE;
      Long uncommitted = dirty ? unfinished.get(key) : null;
      if (uncommitted != null && !writes.containsKey(key)) {
        return uncommitted;
      }
      boolean newest =
          fault == Fault.READS_THE_NEWEST
              || (fault == Fault.READS_DRIFT && readBefore.contains(key));
      return versions.get(key).floorEntry(newest ? Long.MAX_VALUE : snapshot).getValue();
    }

    private void write(String key) {
      long value = random.nextInt(6) == 0 ? TransactionRecord.ABSENT : ++lastValue;
      writes.put(key, value);
      open.wrote(key, value);
      if (value != TransactionRecord.ABSENT) {
        unfinished.put(key, value);
      }
    }

    private void roll() {
      writes.keySet().forEach(unfinished::remove);
      open.rolledBack(nanos);
      open = null;
    }

    private void commit() {
      boolean conflict =
          writes.keySet().stream().anyMatch(key -> versions.get(key).lastKey() > snapshot);
      if (conflict && fault != Fault.BOTH_COMMIT) {
        roll();
        return;
      }
      writes.keySet().forEach(unfinished::remove);
      if (writes.isEmpty()) {
        open.committed(snapshot, /* durable= */ true, nanos);
      } else {
        scn++;
        boolean heard = random.nextInt(12) > 0;
        boolean happens = heard || random.nextBoolean();
        if (happens && !(fault == Fault.FORGETS_COMMITS && random.nextInt(4) == 0)) {
          apply();
        }
        if (heard) {
          open.committed(scn, /* durable= */ true, nanos);
        } else {
          open.neverHeard();
        }
      }
      open = null;
    }

    private void apply() {
      int skipped = fault == Fault.COMMITS_IN_PIECES ? random.nextInt(writes.size()) : -1;
      for (Map.Entry<String, Long> write : writes.entrySet()) {
        if (skipped-- != 0) {
          versions.get(write.getKey()).put(scn, write.getValue());
        }
      }
    }

    void giveUp() {
      if (open != null) {
        roll();
      }
    }

    private String key() {
      return "k" + random.nextInt(KEYS);
    }
  }
}
