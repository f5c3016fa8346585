package dev.upcall.history;

import dev.upcall.history.TransactionRecord.Access;
import dev.upcall.history.TransactionRecord.Outcome;
import dev.upcall.history.TransactionRecord.Read;
import dev.upcall.history.TransactionRecord.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who wrote what in a history, and in which order the versions of each key were committed. */
final class Versions {
  /** Below every SCN: since when keys are absent that nobody has written. */
  static final long BEFORE_ALL = -1;

  private final Map<String, TreeMap<Long, Version>> committed = new HashMap<>();
  private final Map<String, Map<Long, Written>> written = new HashMap<>();
  private final Map<String, List<TransactionRecord>> perhapsDeleted = new HashMap<>();
  private final Map<Long, Long> earliest = new HashMap<>();
  private final Map<Long, Long> latest = new HashMap<>();

  /**
   * A committed version of a key.
   *
   * @param scn of its commit
   * @param writer who wrote it; null for what was never written
   */
  record Version(long scn, long value, @Nullable TransactionRecord writer) {}

  /**
   * One write.
   *
   * @param isLast whether it is the last one of its transaction to its key
   */
  record Written(TransactionRecord writer, boolean isLast) {}

  /** Sorts a history. */
  Versions(List<TransactionRecord> history) {
    for (TransactionRecord transaction : history) {
      Map<String, Long> last = lastWrites(transaction);
      for (Access access : transaction.accesses()) {
        if (access instanceof Write(String key, long value) && value != TransactionRecord.ABSENT) {
          boolean isLast = last.get(key) == value;
          written
              .computeIfAbsent(key, _ -> new HashMap<>())
              .putIfAbsent(value, new Written(transaction, isLast));
        }
      }
      if (transaction.outcome() == Outcome.UNKNOWN) {
        earliest.put(transaction.number(), transaction.snapshotScn() + 1);
        last.forEach(
            (key, value) -> {
              if (value == TransactionRecord.ABSENT) {
                perhapsDeleted.computeIfAbsent(key, _ -> new ArrayList<>()).add(transaction);
              }
            });
      }
      if (transaction.outcome() == Outcome.COMMITTED) {
        last.forEach(
            (key, value) ->
                of(key)
                    .put(
                        transaction.commitScn(),
                        new Version(transaction.commitScn(), value, transaction)));
      }
    }
    history.forEach(this::narrow);
  }

  /** The last value that a transaction wrote to each of its keys. */
  static Map<String, Long> lastWrites(TransactionRecord transaction) {
    Map<String, Long> last = new LinkedHashMap<>();
    for (Access access : transaction.accesses()) {
      if (access instanceof Write(String key, long value)) {
        last.put(key, value);
      }
    }
    return last;
  }

  /** Committed versions of a key by SCN, beginning with one that was absent. */
  TreeMap<Long, Version> of(String key) {
    return committed.computeIfAbsent(
        key,
        _ -> {
          TreeMap<Long, Version> versions = new TreeMap<>();
          versions.put(BEFORE_ALL, new Version(BEFORE_ALL, TransactionRecord.ABSENT, null));
          return versions;
        });
  }

  /** All keys that anybody has committed or looked for. */
  Iterable<String> keys() {
    return committed.keySet();
  }

  /** Who wrote a value, or null. */
  @Nullable Written written(String key, long value) {
    return written.getOrDefault(key, Map.of()).get(value);
  }

  /** The version of a key in the state of an SCN. */
  Version at(String key, long scn) {
    return of(key).floorEntry(scn).getValue();
  }

  /** The version after a committed one, or null. */
  @Nullable Version after(String key, Version version) {
    Map.Entry<Long, Version> next = of(key).higherEntry(version.scn());
    return next == null ? null : next.getValue();
  }

  /** Whether a key may have been deleted at any time by somebody of whom nobody heard. */
  boolean isPerhapsDeleted(String key) {
    return perhapsDeleted.containsKey(key);
  }

  /**
   * Whether a key may have been deleted behind an SCN, and for a reader, by somebody else of whom
   * nobody heard.
   */
  boolean isPerhapsDeleted(String key, TransactionRecord reader, long after) {
    return perhapsDeleted.getOrDefault(key, List.of()).stream()
        .anyMatch(
            unknown ->
                unknown != reader
                    && !isAtMost(unknown, after)
                    && earliest.get(unknown.number()) <= reader.snapshotScn());
  }

  /**
   * The committed version that a read saw. Null when it saw what is no committed version. Of
   * several deletions it is the one in the reader's snapshot, and null when that is none or when
   * there may be others.
   */
  @Nullable Version seen(TransactionRecord reader, String key, long value) {
    if (value == TransactionRecord.ABSENT) {
      if (isPerhapsDeleted(key)) {
        return null;
      }
      List<Version> absent =
          of(key).values().stream().filter(v -> v.value() == TransactionRecord.ABSENT).toList();
      if (absent.size() == 1) {
        return absent.getFirst();
      }
      Version expected = at(key, Math.max(BEFORE_ALL, reader.snapshotScn()));
      return expected.value() == TransactionRecord.ABSENT ? expected : null;
    }
    Written by = written(key, value);
    return by == null || !by.isLast() || by.writer().outcome() != Outcome.COMMITTED
        ? null
        : of(key).get(by.writer().commitScn());
  }

  /**
   * Whether a transaction of which nobody heard has certainly committed behind one SCN and not
   * behind another.
   */
  boolean isBetween(TransactionRecord unknown, long after, long notAfter) {
    return earliest.getOrDefault(unknown.number(), Long.MIN_VALUE) > after
        && latest.getOrDefault(unknown.number(), Long.MAX_VALUE) <= notAfter;
  }

  /** Whether a transaction of which nobody heard has certainly committed at or before an SCN. */
  boolean isAtMost(TransactionRecord unknown, long scn) {
    return latest.getOrDefault(unknown.number(), Long.MAX_VALUE) <= scn;
  }

  /** Whether somebody has seen a write of a transaction of which nobody heard. */
  boolean wasSeen(TransactionRecord unknown) {
    return latest.containsKey(unknown.number());
  }

  /** What a reader says about the SCN of a transaction of which nobody heard. */
  private void narrow(TransactionRecord reader) {
    for (Access access : reader.accesses()) {
      if (access instanceof Read(String key, long value)) {
        Written by = written(key, value);
        if (by != null
            && by.writer().outcome() == Outcome.UNKNOWN
            && by.writer() != reader
            && reader.snapshotScn() != TransactionRecord.NO_SCN) {
          long number = by.writer().number();
          latest.merge(number, reader.snapshotScn(), Math::min);
          earliest.merge(number, at(key, reader.snapshotScn()).scn() + 1, Math::max);
        }
      }
    }
  }
}
