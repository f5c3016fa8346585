package dev.upcall.bench.stages;

import dev.upcall.bench.harness.Fields;

/** Rows with the means that a test wants. */
public final class StageRows {
  private StageRows() {}

  /** A row as a worker would tell it; the batch is as large as there are in flight. */
  public static StageTable.Row row(StageSide side, boolean warm, int inFlight, double... means) {
    StringBuilder line =
        new StringBuilder("ran units=100 nanos=1000000000 mean=1 requests=100 residual=0 ")
            .append("batch=%d drain=2 before=3 after=4 io=%d".formatted(inFlight, warm ? 0 : 100));
    double total = 0;
    for (int i = 0; i < means.length; i++) {
      line.append(" %s=%s/1/2".formatted(side.stages().get(i).key(), means[i]));
      total += means[i];
    }
    return StageTable.Row.of(side, warm, inFlight, Fields.parse(line + " total=" + total + "/1/2"));
  }
}
