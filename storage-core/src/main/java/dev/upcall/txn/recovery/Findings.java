package dev.upcall.txn.recovery;

import dev.upcall.completion.Failure;
import dev.upcall.store.OpeningReport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Faults of a volume that its recovery has found. */
final class Findings {
  private final List<String> found = new ArrayList<>();
  private OpeningReport.Age age = OpeningReport.Age.NEWEST;

  /** Something cannot be read. */
  void add(String sentence) {
    found.add(sentence);
  }

  /**
   * How the log ended.
   *
   * @param damage where it is damaged, though more followed; or null
   * @param stop why a change in it could not be made again, nor those behind it; or null
   * @param traces whether its last changes are there in part
   */
  void ofLog(@Nullable Failure damage, @Nullable Failure stop, boolean traces) {
    if (damage != null) {
      add("it shows what was committed before this damage: " + damage.message());
    }
    if (stop != null) {
      add("it shows what was committed before a change that meets damage: " + stop.message());
    }
    if (damage != null || stop != null) {
      age = OpeningReport.Age.OLDER;
    } else if (traces) {
      add("the log ends in changes of which only a part is there");
      age = OpeningReport.Age.PERHAPS_OLDER;
    }
  }

  /** How many leaves of entries are damaged that changes in the log meet. */
  void ofLost(int leaves) {
    if (leaves > 0) {
      add(
          "%d pages of entries of tables are damaged, and changes of them in the log were left out"
              .formatted(leaves));
    }
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
