package dev.upcall.txn.recovery;

import dev.upcall.completion.Failure;
import dev.upcall.store.OpeningReport;
import java.util.ArrayList;
import java.util.List;

/** What a recovery finds that is not as it should be, where a store is only to be read. */
final class Findings {
  private final List<String> found = new ArrayList<>();
  private OpeningReport.Age age = OpeningReport.Age.NEWEST;

  /** Something cannot be read. */
  void add(String sentence) {
    found.add(sentence);
  }

  /** Something cannot be read, and with it newer changes than those that will be shown. */
  void add(String sentence, OpeningReport.Age than) {
    add(sentence);
    age = than.compareTo(age) > 0 ? than : age;
  }

  /** Whether newer changes are missed, or may be. */
  boolean isOlder() {
    return age != OpeningReport.Age.NEWEST;
  }

  /** Why the store takes no changes. */
  Failure.ReadOnly readOnly() {
    return new Failure.ReadOnly(String.join("; ", reasons()));
  }

  private List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    reasons.add("it was opened so");
    reasons.addAll(found);
    return reasons;
  }

  /** All of it. */
  OpeningReport report(long scn, long changedNanos) {
    return new OpeningReport(scn, age, changedNanos, found);
  }
}
