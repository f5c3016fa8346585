package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What is claimed here of the store, of edits that are placed at once on objects of 100 MB. */
final class StoreClaims {
  private static final int MEAN = Mixes.MEANS.get(1);

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
            "The parts that are content",
            0.97,
            0.99,
            "HERE-SPACE",
            "Of the store, not the paper: after operations of 10 KB content fills its blocks as EOS"
                + " promises. Taken as: 0.97 or more with T = 16, 0.99 with T = 64."),
        each(
            marks,
            StoreMark::scanLeft,
            "What is left of the speed",
            0.7,
            0.9,
            "HERE-SCAN",
            "Of the store, not the paper: after operations of 10 KB a scan is nearly as fast as"
                + " before. Taken as: 0.7 of it or more with T = 16, 0.9 with T = 64."));
  }

  private Claim each(
      Map<StoredObject, StoreMark> marks,
      ToDoubleFunction<StoreMark> figure,
      String what,
      double some,
      double many,
      String id,
      String said) {
    Judgement judgement = Mixes.judgement(runs.operations()).about(what);
    for (int threshold : Structure.PAGES) {
      StoredObject object = new StoredObject(MEAN, Structure.eos(threshold));
      judgement.atLeast(
          "T = " + threshold,
          figure.applyAsDouble(StoreRuns.mark(marks, object)),
          threshold == 16 ? some : threshold == 64 ? many : 0);
    }
    return judgement.claim(id, said);
  }
}
