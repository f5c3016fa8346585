package dev.upcall.history;

import dev.upcall.history.Anomaly.Kind;
import dev.upcall.history.TransactionRecord.Access;
import dev.upcall.history.TransactionRecord.Outcome;
import dev.upcall.history.TransactionRecord.Read;
import dev.upcall.history.TransactionRecord.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether a history is one of snapshot isolation, in two ways that do not know of each
 * other: by what each read must have seen in the snapshot that the store named, and by cycles in
 * the graph of dependencies (Cerone and Gotsman, "Analysing Snapshot Isolation", PODC 2016: a
 * history is one of snapshot isolation if each cycle has two overwritten reads in a row). The order
 * of versions is that of the commits' SCNs.
 *
 * <p>A history is that of one opening of a store, with what was there as its first transaction:
 * after a crash SCNs that were never durable are given again. Of a transaction that never heard how
 * it ended only what others have seen is held against anybody.
 */
public final class IsolationChecker {
  private final List<TransactionRecord> history;
  private final Versions versions;
  private final List<Anomaly> anomalies = new ArrayList<>();

  private IsolationChecker(List<TransactionRecord> records) {
    this.history =
        records.stream().sorted(Comparator.comparingLong(TransactionRecord::number)).toList();
    this.versions = new Versions(history);
  }

  /** What is wrong with a history; nothing if it is one of snapshot isolation. */
  public static List<Anomaly> check(List<TransactionRecord> history) {
    IsolationChecker checker = new IsolationChecker(history);
    checker.checkForm();
    if (checker.anomalies.isEmpty()) {
      history.forEach(checker::checkReads);
      history.forEach(checker::checkTorn);
      history.forEach(checker::checkOverwritten);
      checker.checkTimes();
      checker.anomalies.addAll(new DependencyGraph(history, checker.versions).cycles());
    }
    return checker.anomalies;
  }

  // ------------------------------------------------------------------ form

  private void checkForm() {
    Map<String, Long> values = new HashMap<>();
    Map<Long, Long> scns = new HashMap<>();
    for (TransactionRecord transaction : history) {
      long number = transaction.number();
      for (Access access : transaction.accesses()) {
        if (access instanceof Write(String key, long value) && value != TransactionRecord.ABSENT) {
          Long other = values.putIfAbsent(key + "=" + value, number);
          if (other != null) {
            found(Kind.MALFORMED, "%s was given %d twice".formatted(key, value), number, other);
          }
        }
      }
      if (transaction.outcome() == Outcome.COMMITTED && writes(transaction)) {
        Long other = scns.putIfAbsent(transaction.commitScn(), number);
        if (other != null && transaction.client() != TransactionRecord.NOBODY) {
          found(Kind.MALFORMED, "two commits at " + transaction.commitScn(), number, other);
        }
        if (transaction.commitScn() <= transaction.snapshotScn()
            && transaction.client() != TransactionRecord.NOBODY) {
          found(Kind.MALFORMED, "a commit that is not behind its snapshot", number);
        }
      }
    }
  }

  private static boolean writes(TransactionRecord transaction) {
    return transaction.accesses().stream().anyMatch(access -> access instanceof Write);
  }

  // ------------------------------------------------------------------ reads, one by one

  private void checkReads(TransactionRecord transaction) {
    Map<String, Access> known = new HashMap<>();
    for (Access access : transaction.accesses()) {
      Access before = known.put(access.key(), access);
      if (access instanceof Read read) {
        checkRead(transaction, read, before);
        if (before instanceof Write) {
          known.put(access.key(), before);
        }
      }
    }
  }

  private void checkRead(TransactionRecord reader, Read read, @Nullable Access before) {
    if (before instanceof Write own) {
      if (own.value() != read.value()) {
        found(
            Kind.OWN_WRITE_MISSED,
            "T%d wrote %d to %s and read %d"
                .formatted(reader.number(), own.value(), read.key(), read.value()),
            reader.number());
      }
      return;
    }
    if (before instanceof Read earlier && earlier.value() != read.value()) {
      found(
          Kind.UNREPEATABLE_READ,
          "T%d read %d and then %d from %s"
              .formatted(reader.number(), earlier.value(), read.value(), read.key()),
          reader.number());
    }
    if (read.value() == TransactionRecord.ABSENT) {
      checkSnapshot(reader, read);
      return;
    }
    Versions.Written by = versions.written(read.key(), read.value());
    if (by == null) {
      found(
          Kind.GARBAGE_READ,
          "T%d read %d from %s, which nobody has written"
              .formatted(reader.number(), read.value(), read.key()),
          reader.number());
    } else if (by.writer().outcome() == Outcome.ROLLED_BACK) {
      seen(Kind.DIRTY_READ, reader, read, by.writer(), "which was rolled back");
    } else if (by.writer() == reader) {
      seen(Kind.READ_FROM_THE_FUTURE, reader, read, reader, "before it was written");
    } else if (!by.isLast()) {
      seen(Kind.INTERMEDIATE_READ, reader, read, by.writer(), "which wrote it again later");
    } else {
      checkSnapshot(reader, read);
    }
  }

  /** The read must have seen the last version that was committed in its snapshot. */
  private void checkSnapshot(TransactionRecord reader, Read read) {
    long scn = reader.snapshotScn();
    if (scn == TransactionRecord.NO_SCN) {
      return;
    }
    Versions.Version expected = versions.at(read.key(), scn);
    Versions.Written by = versions.written(read.key(), read.value());
    if (by != null && by.writer().outcome() == Outcome.UNKNOWN) {
      if (by.writer().snapshotScn() >= scn) {
        seen(Kind.READ_FROM_THE_FUTURE, reader, read, by.writer(), "which can only follow");
      } else if (versions.isAtMost(by.writer(), expected.scn())) {
        seen(Kind.STALE_READ, reader, read, by.writer(), "and written over since" + by(expected));
      }
      return;
    }
    if (read.value() == TransactionRecord.ABSENT
        && expected.value() != TransactionRecord.ABSENT
        && versions.isPerhapsDeleted(read.key(), reader, expected.scn())) {
      return;
    }
    if (expected.value() != read.value()) {
      boolean future = by != null && by.writer().commitScn() > scn;
      found(
          future ? Kind.READ_FROM_THE_FUTURE : Kind.STALE_READ,
          "T%d read %d from %s; in its snapshot %d it was %d%s"
              .formatted(
                  reader.number(), read.value(), read.key(), scn, expected.value(), by(expected)),
          numbers(reader, by == null ? null : by.writer(), expected.writer()));
    } else if (read.value() != TransactionRecord.ABSENT || !versions.isPerhapsDeleted(read.key())) {
      checkUnknownInBetween(reader, read, expected);
    }
  }

  /** What somebody else has seen of a transaction of which nobody heard must be seen by all. */
  private void checkUnknownInBetween(
      TransactionRecord reader, Read read, Versions.Version expected) {
    for (TransactionRecord unknown : history) {
      if (unknown.outcome() == Outcome.UNKNOWN
          && unknown != reader
          && Versions.lastWrites(unknown).containsKey(read.key())
          && versions.isBetween(unknown, expected.scn(), reader.snapshotScn())) {
        found(
            Kind.STALE_READ,
            "T%d read %d from %s, although T%d, which others have seen before, wrote over it"
                .formatted(reader.number(), read.value(), read.key(), unknown.number()),
            reader.number(),
            unknown.number());
      }
    }
  }

  // ------------------------------------------------------------------ reads, taken together

  /** Of each transaction of which something was seen, all must have been seen. */
  private void checkTorn(TransactionRecord reader) {
    Map<String, Long> reads = firstReads(reader);
    reads.forEach(
        (key, value) -> {
          Versions.Written by = versions.written(key, value);
          if (by == null
              || !by.isLast()
              || by.writer() == reader
              || by.writer().outcome() == Outcome.ROLLED_BACK) {
            return;
          }
          TransactionRecord writer = by.writer();
          Versions.lastWrites(writer)
              .forEach(
                  (otherKey, otherValue) -> {
                    Long read = reads.get(otherKey);
                    if (read != null
                        && !read.equals(otherValue)
                        && isBefore(reader, otherKey, read, writer)) {
                      found(
                          Kind.TORN_READ,
                          "T%d read %d from %s, written by T%d, and from %s %d, which is older than T%d's %d"
                              .formatted(
                                  reader.number(),
                                  value,
                                  key,
                                  writer.number(),
                                  otherKey,
                                  read,
                                  writer.number(),
                                  otherValue),
                          reader.number(),
                          writer.number());
                    }
                  });
        });
  }

  /** Whether a value that was read is certainly older than what another transaction wrote. */
  private boolean isBefore(
      TransactionRecord reader, String key, long value, TransactionRecord writer) {
    Versions.Version version = versions.seen(reader, key, value);
    if (version == null) {
      return false;
    }
    return writer.outcome() == Outcome.COMMITTED
        ? version.scn() < writer.commitScn()
        : versions.isBetween(writer, version.scn(), Long.MAX_VALUE);
  }

  /** What a transaction read of others. */
  static Map<String, Long> firstReads(TransactionRecord transaction) {
    Map<String, Long> reads = new HashMap<>();
    Map<String, Boolean> own = new HashMap<>();
    for (Access access : transaction.accesses()) {
      switch (access) {
        case Write write -> own.put(write.key(), true);
        case Read read -> {
          if (!own.containsKey(read.key())) {
            reads.putIfAbsent(read.key(), read.value());
          }
        }
      }
    }
    return reads;
  }

  // ------------------------------------------------------------------ writes

  /** Nobody may have written what this one wrote between its snapshot and its commit. */
  private void checkOverwritten(TransactionRecord transaction) {
    if (transaction.outcome() != Outcome.COMMITTED
        || transaction.client() == TransactionRecord.NOBODY
        || transaction.snapshotScn() == TransactionRecord.NO_SCN) {
      return;
    }
    for (String key : Versions.lastWrites(transaction).keySet()) {
      Versions.Version before = versions.at(key, transaction.commitScn() - 1);
      if (before.scn() > transaction.snapshotScn()) {
        found(
            Kind.LOST_UPDATE,
            "T%d wrote %s at %d over a version of %d that its snapshot %d did not hold%s"
                .formatted(
                    transaction.number(),
                    key,
                    transaction.commitScn(),
                    before.scn(),
                    transaction.snapshotScn(),
                    by(before)),
            numbers(transaction, before.writer()));
      }
    }
  }

  // ------------------------------------------------------------------ times

  /** Whoever begins after another was acknowledged must see it. */
  private void checkTimes() {
    List<TransactionRecord> byEnd =
        history.stream()
            .filter(t -> t.outcome() == Outcome.COMMITTED)
            .sorted(Comparator.comparingLong(TransactionRecord::endNanos))
            .toList();
    List<TransactionRecord> byBegin =
        history.stream()
            .filter(t -> t.snapshotScn() != TransactionRecord.NO_SCN)
            .filter(t -> t.client() != TransactionRecord.NOBODY)
            .sorted(Comparator.comparingLong(TransactionRecord::beginNanos))
            .toList();
    int ended = 0;
    TransactionRecord newest = null;
    for (TransactionRecord begun : byBegin) {
      while (ended < byEnd.size() && byEnd.get(ended).endNanos() < begun.beginNanos()) {
        TransactionRecord next = byEnd.get(ended++);
        newest = newest == null || next.commitScn() > newest.commitScn() ? next : newest;
      }
      if (newest != null && begun.snapshotScn() < newest.commitScn()) {
        found(
            Kind.STALE_SNAPSHOT,
            "T%d began after T%d was acknowledged at %d, and sees %d"
                .formatted(
                    begun.number(), newest.number(), newest.commitScn(), begun.snapshotScn()),
            begun.number(),
            newest.number());
      }
    }
  }

  // ------------------------------------------------------------------ words

  private void seen(
      Kind kind, TransactionRecord reader, Read read, TransactionRecord writer, String how) {
    found(
        kind,
        "T%d read %d from %s, written by T%d, %s"
            .formatted(reader.number(), read.value(), read.key(), writer.number(), how),
        reader.number(),
        writer.number());
  }

  private static String by(Versions.Version version) {
    TransactionRecord writer = version.writer();
    return writer == null ? "" : ", by T" + writer.number();
  }

  private static long[] numbers(@Nullable TransactionRecord... transactions) {
    return Arrays.stream(transactions)
        .filter(transaction -> transaction != null)
        .mapToLong(TransactionRecord::number)
        .distinct()
        .toArray();
  }

  private void found(Kind kind, String story, long... transactions) {
    anomalies.add(new Anomaly(kind, Arrays.stream(transactions).boxed().toList(), story));
  }
}
