package dev.upcall.bench.securefile.study;

import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import java.util.List;

/** The paper's computations from its rates: nothing is measured. */
final class ArithmeticStudy {
  static final String TITLE = "5. The paper's arithmetic";

  private static final double DAY_SECONDS = 86_400;
  private static final double NEAR = 0.05;

  private ArithmeticStudy() {}

  /**
   * A figure of the paper, and what its own rates give.
   *
   * @param said by the paper, in millions
   * @param perSecond from its tables
   */
  private record Row(String what, double said, double perSecond) {
    double millions() {
      return perSecond * DAY_SECONDS / 1e6;
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row("e-mails, one node", 480, 5_500),
          new Row("documents, one node", 280, 3_200),
          new Row("low-res images, one node", 63, 728),
          new Row("high-res images, one node (728 MB/s of 9.6 MB)", 6.4, 728 / 9.6),
          new Row("videos, one node (716 MB/s of 97 MB)", 0.64, 716 / 97.0),
          new Row("videos of 100 MB, seven nodes (4.4 GB/s)", 3.7, 4_400 / 100.0));

  static Section section() {
    Judgement judgement = new Judgement("").about("a day, computed over said");
    ROWS.forEach(row -> judgement.within(row.what, row.millions() / row.said, 1 - NEAR, 1 + NEAR));
    Judgement nodes =
        new Judgement("")
            .within("seven nodes over seven times one of 728 MB/s", 4_400 / (7 * 728.0), 0.8, 0.9)
            .within(
                "a server's rate over that of the record load",
                4_400 / 7.0 / (1_740 / 32.0),
                11,
                12);
    return Section.of(
        TITLE,
        "Rates of its tables times the seconds of a day, and rates by server. The low-res rate is"
            + " that of 700 MB/s and 0.96 MB an object.",
        List.of(
            judgement.claim("SF-DAY", "A day of one node and of seven follows from the rates."),
            nodes.claim(
                "SF-NODES",
                "Seven nodes reach 0.86 of seven times one; a server loads more than ten times what"
                    + " one of 32 did in a record load of rows (1.74 GB/s).")),
        List.of(),
        List.of(
            Grid.of(
                "Millions of objects a day",
                ROWS,
                Grid.column("", Row::what),
                Grid.column("said", row -> Judgement.show(row.said)),
                Grid.column("computed", row -> Judgement.show(row.millions())))));
  }
}
