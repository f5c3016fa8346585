package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.report.Judgement;

/**
 * Where the measures of a row must lie: shares about the printed one, the others by benchmark.
 *
 * @param leastShare of reads by sectors
 * @param mostShare of reads by sectors
 * @param leastSequential of reads
 * @param mostSequential of reads
 * @param leastStream of reads in sectors
 * @param mostStream of reads in sectors
 */
record Band(
    double leastShare,
    double mostShare,
    double leastSequential,
    double mostSequential,
    double leastStream,
    double mostStream) {
  /** Of TPC-C. */
  static final double MOST_WRITE_SEQUENTIAL = 0.2;

  private static final double TPC_W_POINTS = 0.02;
  private static final double RUBIS_POINTS = 0.08;
  private static final double TPC_C_POINTS = 0.06;

  static Band of(Printed row) {
    double share = row.readShare();
    return switch (row.kind()) {
      case TPC_W -> new Band(share - TPC_W_POINTS, 1, 0.40, 0.62, 30, 65);
      case RUBIS -> new Band(share - RUBIS_POINTS, share + RUBIS_POINTS, 0.03, 0.40, 8, 25);
      case TPC_C -> new Band(share - TPC_C_POINTS, share + TPC_C_POINTS, 0.08, 0.20, 10, 18);
    };
  }

  /** For a claim. */
  String words(Printed row) {
    String share =
        row.kind() == Workload.Kind.TPC_W
            ? "at least " + Judgement.show(leastShare)
            : "%s to %s".formatted(Judgement.show(leastShare), Judgement.show(mostShare));
    return "%s read share %s, sequentiality %s to %s, stream %s to %s"
        .formatted(
            row.kind().label(),
            share,
            Judgement.show(leastSequential),
            Judgement.show(mostSequential),
            Judgement.show(leastStream),
            Judgement.show(mostStream));
  }
}
