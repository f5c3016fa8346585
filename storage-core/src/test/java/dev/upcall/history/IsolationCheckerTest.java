package dev.upcall.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.history.Anomaly.Kind;
import dev.upcall.history.SmallStore.Fault;
import dev.upcall.history.TransactionRecord.Access;
import dev.upcall.history.TransactionRecord.Outcome;
import dev.upcall.history.TransactionRecord.Read;
import dev.upcall.history.TransactionRecord.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The judge of histories finds each anomaly, and none where there is none. */
class IsolationCheckerTest {
  private static final int SEEDS = 300;
  private static final int SEEDS_OF_A_FAULT = 200;

  private final List<TransactionRecord> history = new ArrayList<>();

  // ------------------------------------------------------------------ one history for each kind

  @Test
  void writeSkewIsAllowed() {
    at(1, w("x", 1), w("y", 1));
    commits(1, 2, r("x", 1), r("y", 1), w("x", 2));
    commits(1, 3, r("x", 1), r("y", 1), w("y", 3));
    finds();
  }

  @Test
  void deletionsAndWhatWasNeverThereAreAbsent() {
    at(1, w("x", 1));
    commits(1, 2, r("x", 1), r("y", 0), w("x", 0));
    commits(2, 3, r("x", 0), w("x", 5), w("y", 6));
    reads(2, r("x", 0), r("y", 0));
    commits(3, 4, r("x", 5), w("x", 0));
    reads(4, r("x", 0), r("y", 6));
    finds();
  }

  @Test
  void aValueThatWasGivenTwice() {
    commits(0, 1, w("x", 1));
    commits(1, 2, w("x", 1));
    finds(Kind.MALFORMED);
  }

  @Test
  void twoCommitsWithOneScn() {
    commits(0, 1, w("x", 1));
    commits(0, 1, w("y", 2));
    finds(Kind.MALFORMED);
  }

  @Test
  void garbage() {
    reads(0, r("x", 7));
    finds(Kind.GARBAGE_READ);
  }

  @Test
  void anOwnWriteMissed() {
    at(1, w("x", 1));
    commits(1, 2, w("x", 2), r("x", 1));
    finds(Kind.OWN_WRITE_MISSED);
  }

  @Test
  void anUnrepeatableRead() {
    at(1, w("x", 1));
    commits(1, 2, w("x", 2));
    reads(1, r("x", 1), r("x", 2));
    finds(Kind.UNREPEATABLE_READ, Kind.READ_FROM_THE_FUTURE);
  }

  @Test
  void aDirtyRead() {
    add(0, Outcome.ROLLED_BACK, TransactionRecord.NO_SCN, w("x", 1));
    reads(0, r("x", 1));
    finds(Kind.DIRTY_READ);
    assertTrue(anomalies().contains("T1 read 1 from x, written by T0, which was rolled back"));
  }

  @Test
  void anIntermediateRead() {
    commits(0, 1, w("x", 1), w("x", 2));
    reads(1, r("x", 1));
    finds(Kind.INTERMEDIATE_READ);
  }

  @Test
  void circularInformation() {
    commits(0, 1, w("x", 1), r("y", 2));
    commits(0, 2, w("y", 2), r("x", 1));
    finds(Kind.CIRCULAR_INFORMATION, Kind.READ_FROM_THE_FUTURE);
  }

  @Test
  void aLostUpdate() {
    at(1, w("x", 1));
    commits(1, 2, r("x", 1), w("x", 2));
    commits(1, 3, r("x", 1), w("x", 3));
    finds(Kind.LOST_UPDATE, Kind.READ_SKEW);
  }

  /** One absence is not another. */
  @Test
  void whatIsAbsentAgainHasChanged() {
    commits(0, 1, w("x", 1));
    commits(1, 2, w("x", 0));
    commits(0, 3, r("x", 0), w("x", 3));
    finds(Kind.LOST_UPDATE, Kind.READ_SKEW);
  }

  @Test
  void twoThatWriteWithoutLooking() {
    commits(0, 1, w("x", 1));
    commits(0, 2, w("x", 2));
    finds(Kind.LOST_UPDATE);
  }

  @Test
  void readSkew() {
    at(1, w("x", 1), w("y", 1));
    commits(1, 2, w("x", 2));
    commits(2, 3, w("y", 3));
    reads(3, r("x", 1), r("y", 3));
    finds(Kind.STALE_READ);
    assertTrue(anomalies().contains("in its snapshot 3 it was 2, by T1"), anomalies());
  }

  /** The graph alone: no snapshot says that anything is wrong, because none is known. */
  @Test
  void readSkewWithoutAnySnapshot() {
    at(1, w("x", 1), w("y", 1));
    commits(TransactionRecord.NO_SCN, 2, w("x", 2), w("y", 2));
    reads(TransactionRecord.NO_SCN, r("x", 1), r("y", 2));
    finds(Kind.TORN_READ, Kind.READ_SKEW);
    assertTrue(anomalies().contains("-RW x-> T1"), anomalies());
  }

  /** Two readers see two writers in different orders. */
  @Test
  void aLongFork() {
    at(1, w("x", 1), w("y", 1));
    commits(TransactionRecord.NO_SCN, 2, w("x", 2));
    commits(TransactionRecord.NO_SCN, 3, w("y", 3));
    reads(TransactionRecord.NO_SCN, r("x", 2), r("y", 1));
    reads(TransactionRecord.NO_SCN, r("x", 1), r("y", 3));
    finds(Kind.LONG_FORK);
  }

  @Test
  void aTornRead() {
    at(1, w("x", 1), w("y", 1));
    commits(1, 2, w("x", 2), w("y", 3));
    reads(2, r("x", 2), r("y", 1));
    finds(Kind.TORN_READ, Kind.STALE_READ, Kind.READ_SKEW);
  }

  @Test
  void aStaleSnapshot() {
    at(1, w("x", 1));
    commits(1, 2, w("x", 2));
    reads(1, r("x", 1));
    finds();
    TransactionRecord late = history.removeLast();
    history.add(
        new TransactionRecord(
            late.number(), 9, 1, late.accesses(), Outcome.COMMITTED, 1, false, 50, 60));
    finds(Kind.STALE_SNAPSHOT);
  }

  /** A client sees what it did before, also where no clock tells what was before. */
  @Test
  void aClientThatForgets() {
    at(1, w("x", 1));
    session(1, 2, w("x", 2));
    session(1, 1, r("x", 1));
    finds(Kind.READ_SKEW);
  }

  // ------------------------------------------------------------------ what nobody heard of

  @Test
  void whatNobodyHeardOfMayHaveHappenedOrNot() {
    at(1, w("x", 1), w("y", 1));
    unknown(1, w("x", 2), w("y", 3));
    reads(1, r("x", 1), r("y", 1));
    finds();
    reads(5, r("x", 2), r("y", 3));
    finds();
  }

  @Test
  void whatNobodyHeardOfHasHappenedWhole() {
    at(1, w("x", 1), w("y", 1));
    unknown(1, w("x", 2), w("y", 3));
    reads(5, r("x", 2), r("y", 1));
    finds(Kind.TORN_READ, Kind.STALE_READ);
  }

  @Test
  void whatNobodyHeardOfMayHaveDeleted() {
    at(1, w("x", 1));
    unknown(1, w("x", 0), w("y", 2));
    reads(3, r("x", 0));
    finds();
    reads(3, r("y", 2));
    commits(3, 9, w("x", 9));
    finds();
    reads(9, r("x", 0));
    finds(Kind.STALE_READ);
    history.removeLast();
    reads(1, r("y", 2));
    finds(Kind.READ_FROM_THE_FUTURE, Kind.STALE_READ);
  }

  @Test
  void whatWasSeenStays() {
    at(1, w("x", 1));
    unknown(1, w("x", 2));
    reads(5, r("x", 2));
    reads(7, r("x", 1));
    finds(Kind.STALE_READ);
  }

  @Test
  void whatWasSeenIsWrittenOver() {
    at(1, w("x", 1));
    unknown(1, w("x", 2));
    reads(5, r("x", 2));
    commits(5, 6, r("x", 2), w("x", 6));
    reads(7, r("x", 2));
    finds(Kind.STALE_READ);
  }

  // ------------------------------------------------------------------ many histories

  @Test
  void historiesOfASoundStoreAreAccepted() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<TransactionRecord> recorded = SmallStore.run(seed, Fault.NONE, 40);
      List<Anomaly> found = IsolationChecker.check(recorded);
      assertEquals(List.of(), found, "seed " + seed);
    }
  }

  @Test
  void serialHistoriesAreAccepted() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertEquals(List.of(), IsolationChecker.check(SmallStore.serial(seed, 40)), "seed " + seed);
    }
  }

  /** The canaries of the judge: stores that are not what they promise. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aBrokenStoreIsFound(Fault fault) {
    for (long seed = 1; seed <= SEEDS_OF_A_FAULT; seed++) {
      List<Anomaly> found = IsolationChecker.check(SmallStore.run(seed, fault, 40));
      if (found.stream().anyMatch(anomaly -> anomaly.kind() == fault.found())) {
        return;
      }
    }
    throw new AssertionError(fault + " was not found in " + SEEDS_OF_A_FAULT + " histories");
  }

  /** Whatever one read is told instead of what it should be told, it is found. */
  @Test
  void anyOtherValueOfAnyReadIsFound() {
    int changed = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<TransactionRecord> recorded = SmallStore.run(seed, Fault.NONE, 30);
      List<TransactionRecord> mutated = mutated(recorded, new SplittableRandom(seed));
      if (!mutated.equals(recorded)) {
        changed++;
        assertTrue(!IsolationChecker.check(mutated).isEmpty(), "seed " + seed + ": " + mutated);
      }
    }
    assertTrue(changed > SEEDS / 2, "histories that were changed: " + changed);
  }

  /** One read sees another value that the key had at some time, by a transaction that is known. */
  private static List<TransactionRecord> mutated(
      List<TransactionRecord> recorded, SplittableRandom random) {
    List<TransactionRecord> result = new ArrayList<>(recorded);
    for (int attempt = 0; attempt < 100; attempt++) {
      int which = random.nextInt(recorded.size());
      TransactionRecord reader = recorded.get(which);
      List<Access> accesses = new ArrayList<>(reader.accesses());
      if (accesses.isEmpty() || reader.snapshotScn() == TransactionRecord.NO_SCN) {
        continue;
      }
      int at = random.nextInt(accesses.size());
      if (!(accesses.get(at) instanceof Read(String key, long value))
          || perhapsWrote(recorded, key, value)) {
        continue;
      }
      List<Long> others =
          recorded.stream()
              .filter(t -> t.outcome() != Outcome.UNKNOWN)
              .flatMap(t -> t.accesses().stream())
              .filter(a -> a instanceof Write && a.key().equals(key) && a.value() != value)
              .map(Access::value)
              .filter(other -> !perhapsWrote(recorded, key, other))
              .toList();
      if (!others.isEmpty()) {
        accesses.set(at, new Read(key, others.get(random.nextInt(others.size()))));
        result.set(
            which,
            new TransactionRecord(
                reader.number(),
                reader.client(),
                reader.snapshotScn(),
                accesses,
                reader.outcome(),
                reader.commitScn(),
                reader.durable(),
                reader.beginNanos(),
                reader.endNanos()));
        return result;
      }
    }
    return result;
  }

  /** Then nobody can say whether it was. */
  private static boolean perhapsWrote(List<TransactionRecord> recorded, String key, long value) {
    return recorded.stream()
        .filter(t -> t.outcome() == Outcome.UNKNOWN)
        .anyMatch(t -> Versions.lastWrites(t).getOrDefault(key, -1L) == value);
  }

  // ------------------------------------------------------------------ words

  private static Read r(String key, long value) {
    return new Read(key, value);
  }

  private static Write w(String key, long value) {
    return new Write(key, value);
  }

  private void at(long scn, Access... accesses) {
    history.add(
        new TransactionRecord(
            history.size(),
            TransactionRecord.NOBODY,
            scn,
            List.of(accesses),
            Outcome.COMMITTED,
            scn,
            true,
            0,
            0));
  }

  private void commits(long snapshot, long commit, Access... accesses) {
    add(snapshot, Outcome.COMMITTED, commit, accesses);
  }

  private void reads(long snapshot, Access... accesses) {
    add(snapshot, Outcome.COMMITTED, snapshot, accesses);
  }

  private void unknown(long snapshot, Access... accesses) {
    add(snapshot, Outcome.UNKNOWN, TransactionRecord.NO_SCN, accesses);
  }

  /** All at the same time, each by a client of its own. */
  private void add(long snapshot, Outcome outcome, long commit, Access... accesses) {
    int number = history.size();
    history.add(
        new TransactionRecord(
            number, number, snapshot, List.of(accesses), outcome, commit, false, 10, 40));
  }

  /** One after the other, by one client, at no time that anybody knows. */
  private void session(long snapshot, long commit, Access... accesses) {
    history.add(
        new TransactionRecord(
            history.size(),
            77,
            TransactionRecord.NO_SCN,
            List.of(accesses),
            Outcome.COMMITTED,
            commit,
            false,
            10,
            40));
  }

  private String anomalies() {
    return IsolationChecker.check(history).toString();
  }

  private void finds(Kind... kinds) {
    assertEquals(
        List.of(kinds).stream().sorted().toList(),
        IsolationChecker.check(history).stream()
            .map(Anomaly::kind)
            .distinct()
            .sorted()
            .collect(Collectors.toList()),
        this::anomalies);
  }
}
