package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

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
    return List.of(
        each(
            marks,
            StoreMark::utilization,
            new Bounds("HERE-SPACE", 0.97, 0.99, "The parts that are content"),
            "Of the store, not the paper: after operations of 10 KB content fills its blocks as EOS"
                + " promises. Taken as: 0.97 or more with T = 16, 0.99 with T = 64."),
        each(
            marks,
            StoreMark::scanLeft,
            new Bounds("HERE-SCAN", 0.7, 0.9, "What is left of the speed"),
            "Of the store, not the paper: after operations of 10 KB a scan is nearly as fast as"
                + " before. Taken as: 0.7 of it or more with T = 16, 0.9 with T = 64."));
  }

  /**
   * What a claim expects of each threshold.
   *
   * @param id the claim's
   * @param some the least with {@link #SOME} blocks
   * @param many the least with {@link #MANY} blocks
   * @param what the figures are, as a sentence begins with it
   */
  private record Bounds(String id, double some, double many, String what) {}

  private Claim each(
      Map<StoredObject, StoreMark> marks,
      ToDoubleFunction<StoreMark> figure,
      Bounds bounds,
      String said) {
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    for (int threshold : Structure.PAGES) {
      double value =
          figure.applyAsDouble(
              StoreRuns.mark(marks, new StoredObject(MEAN, Structure.eos(threshold))));
      found.add("%s (T = %d)".formatted(Findings.show(value), threshold));
      findings.expect(
          threshold != SOME || value >= bounds.some(), "T = 16 is below " + bounds.some());
      findings.expect(
          threshold != MANY || value >= bounds.many(), "T = 64 is below " + bounds.many());
    }
    return findings.claim(
        bounds.id(),
        said,
        bounds.what() + ": " + String.join(", ", found) + ".",
        runs.operations());
  }
}
