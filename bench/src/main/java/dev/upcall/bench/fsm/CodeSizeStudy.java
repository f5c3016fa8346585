package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.report.Size;
import dev.upcall.bench.report.Study;
import dev.upcall.bench.report.Verdict;
import dev.upcall.bench.report.Workbench;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How much code each way of writing the store takes. */
final class CodeSizeStudy implements Study {
  private static final String TITLE = "4. Code size";
  private static final int REPORT_THREADS = 2000;
  private static final int REPORT_FSM = 5000;

  private final Optional<SourceTree> tree;

  /** Of sources, where there are any. */
  CodeSizeStudy(Optional<SourceTree> tree) {
    this.tree = tree;
  }

  @Override
  public String title() {
    return TITLE;
  }

  @Override
  public double seconds(Size size) {
    return 0;
  }

  @Override
  public Section run(Workbench bench) throws IOException {
    return section();
  }

  /** Counts, if it can. */
  Section section() throws IOException {
    return tree.isEmpty()
        ? Section.leftOut(
            TITLE, "no sources lie beside this program; run it from a clone to count them.")
        : section(CodeSize.of(tree.get()));
  }

  /** What becomes of a count. */
  static Section section(CodeSize size) {
    return new Section(
        TITLE,
        "Counted are lines of Java with something besides blanks and comments (imports and"
            + " braces count; tests and package-info do not), by one program for both sides. A"
            + " column has the files that a request passes through in that engine and that the"
            + " other does differently; the list is request-path.txt beside the sources of this"
            + " report. Not in a column: what both use (formats, trees, planners, free space,"
            + " recovery, checkpoint and other background machines, which the engine of threads"
            + " runs under its locks), and what one engine has alone (snapshots, transactions of"
            + " several requests).",
        List.of(claim(size)),
        List.of(),
        List.of(grid(size)),
        List.of());
  }

  /** The report's two numbers against ours. */
  static Claim claim(CodeSize size) {
    int fsm = size.lines(CodeSize.FSM);
    int threads = size.lines(CodeSize.THREADS);
    double ratio = (double) fsm / threads;
    return new Claim(
        "FSM-LOC",
        "The multi-threaded system took about 2,000 lines, the one of state machines about 5,000:"
            + " 2.5 times as many. Taken as: state machines take more lines for the same duties.",
        Verdict.of(fsm > threads),
        String.format(
            Locale.ROOT,
            "The request path takes %,d lines as state machines and %,d as threads, %.2f times as"
                + " many (the report: %.2f), beside %,d lines that are shared or that one side has"
                + " alone.",
            fsm,
            threads,
            ratio,
            (double) REPORT_FSM / REPORT_THREADS,
            size.restLines()));
  }

  private static Grid grid(CodeSize size) {
    List<List<String>> rows = new ArrayList<>();
    for (String duty : size.duties()) {
      int fsm = size.lines(duty, CodeSize.FSM);
      int threads = size.lines(duty, CodeSize.THREADS);
      rows.add(row(duty, fsm, threads));
    }
    rows.add(row("request path, in all", size.lines(CodeSize.FSM), size.lines(CodeSize.THREADS)));
    rows.add(row("the report", REPORT_FSM, REPORT_THREADS));
    rows.add(List.of("shared, or of one side alone", Numbers.show(size.restLines()), "", ""));
    return new Grid(
        "Lines of code",
        List.of("duty", "state machines", "threads", "state machines / threads"),
        rows);
  }

  private static List<String> row(String duty, int fsm, int threads) {
    return List.of(
        duty,
        String.format(Locale.ROOT, "%,d", fsm),
        String.format(Locale.ROOT, "%,d", threads),
        threads == 0 ? "-" : Numbers.ratio((double) fsm / threads));
  }
}
