package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is claimed here of the store, of edits that are placed at once on objects of 100 MB. */
final class StoreClaims {
  private static final int MEAN = Mixes.MEANS.get(1);
  private static final int SOME = 16;
  private static final int MANY = 64;

  private final StoreRuns runs;

  StoreClaims(StoreRuns runs) {
    this.runs = runs;
  }

  /**
   * All of them.
   *
   * @throws IOException as {@link StoreRuns#of}
   */
  List<Claim> all() throws IOException {
    Map<StoredObject, StoreMark> marks = runs.of(runs.claimedBytes(), StoredObject.Placing.AT_ONCE);
    return List.of(space(marks), scan(marks));
  }

  private Claim space(Map<StoredObject, StoreMark> marks) {
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    for (int threshold : Structure.PAGES) {
      double utilization =
          StoreRuns.mark(marks, new StoredObject(MEAN, Structure.eos(threshold))).utilization();
      found.add("%s (T = %d)".formatted(Findings.show(utilization), threshold));
      findings.expect(threshold != SOME || utilization >= 0.97, "T = 16 is below 0.97");
      findings.expect(threshold != MANY || utilization >= 0.99, "T = 64 is below 0.99");
    }
    return claim(
        findings,
        "HERE-SPACE",
        "Of the store, not the paper: after operations of 10 KB content fills its blocks as EOS"
            + " promises. Taken as: 0.97 or more with T = 16, 0.99 with T = 64.",
        "The parts that are content: " + String.join(", ", found) + ".");
  }

  private Claim scan(Map<StoredObject, StoreMark> marks) {
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    for (int threshold : Structure.PAGES) {
      double left =
          StoreRuns.mark(marks, new StoredObject(MEAN, Structure.eos(threshold))).scanLeft();
      found.add("%s (T = %d)".formatted(Findings.show(left), threshold));
      findings.expect(threshold != SOME || left >= 0.7, "T = 16 leaves less than 0.7");
      findings.expect(threshold != MANY || left >= 0.9, "T = 64 leaves less than 0.9");
    }
    return claim(
        findings,
        "HERE-SCAN",
        "Of the store, not the paper: after operations of 10 KB a scan is nearly as fast as before."
            + " Taken as: 0.7 of it or more with T = 16, 0.9 with T = 64.",
        "What is left of the speed: " + String.join(", ", found) + ".");
  }

  private Claim claim(Findings findings, String id, String said, String found) {
    return findings.claim(id, said, found, runs.operations());
  }
}
