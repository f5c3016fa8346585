package dev.upcall.cli.trace;

import dev.upcall.cli.option.TextTable;
import dev.upcall.journal.trace.Depths;
import dev.upcall.journal.trace.Overview;
import dev.upcall.journal.trace.Requests.Finished;
import dev.upcall.journal.trace.SlowestRequests;
import dev.upcall.journal.trace.Spread;
import dev.upcall.journal.trace.Stalls;
import dev.upcall.journal.trace.StateTimes;
import dev.upcall.journal.trace.TraceKind;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import dev.upcall.journal.trace.Waterfall;
import java.io.PrintStream;
import java.util.List;
import java.util.function.UnaryOperator;

/** For people. */
final class TextReport implements TraceReport {
  private static final int BAR = 30;
  private static final double MEDIAN = 0.5;
  private static final double NEARLY_ALL = 0.99;

  private final PrintStream out;
  private final List<String> names;
  private final TraceSource.Cursor read;

  TextReport(PrintStream out, TraceSource.Cursor read, UnaryOperator<String> printable) {
    this.out = out;
    this.names = read.names().stream().map(printable).toList();
    this.read = read;
  }

  @Override
  public void overview(
      TraceCommand.Records records, Overview all, List<SlowestRequests.Verb> verbs) {
    out.println("records:   " + all.count() + " in " + records.place());
    if (records.runs() > 1) {
      out.println("run:       " + records.run() + " of " + records.runs() + ", 1 is the newest");
    }
    if (all.count() > 0) {
      long shift = read.epochLessClockNanos();
      out.println(
          "time:      %s, %s long"
              .formatted(
                  Times.instant(all.firstNanos() + shift),
                  Times.length(all.lastNanos() - all.firstNanos())));
    }
    if (read.missing() + read.damaged() > 0) {
      out.println(
          "not there: %d records between them; %d damaged entries"
              .formatted(read.missing(), read.damaged()));
    }
    out.println("stalls:    " + all.records().getOrDefault(TraceKind.STALL, 0L));
    out.println();
    TextTable table = new TextTable(1, "REQUEST", "COUNT", "MEAN", "P50", "P99", "LONGEST", "ID");
    for (SlowestRequests.Verb verb : verbs) {
      row(
          table,
          name(verb.name()),
          verb.spread(),
          TraceRecord.idName(verb.slowest().getFirst().request()));
    }
    table.print(out);
  }

  private static void row(TextTable table, String name, Spread spread, String last) {
    table.row(
        name,
        spread.count(),
        Times.length(spread.sumNanos() / Math.max(1, spread.count())),
        Times.length(spread.quantileNanos(MEDIAN)),
        Times.length(spread.quantileNanos(NEARLY_ALL)),
        Times.length(spread.maxNanos()),
        last);
  }

  @Override
  public void slowest(List<SlowestRequests.Verb> verbs) {
    TextTable table = new TextTable(5, "REQUEST", "ID", "BY", "OUTCOME", "BEGAN", "TOOK");
    long shift = read.epochLessClockNanos();
    for (SlowestRequests.Verb verb : verbs) {
      for (Finished one : verb.slowest()) {
        table.row(
            name(one.verb()),
            TraceRecord.idName(one.request()),
            name(one.origin()),
            name(one.outcome()),
            Times.ofDay(one.beginNanos() + shift),
            Times.length(one.tookNanos()));
      }
    }
    table.print(out);
  }

  @Override
  public void request(long id, Waterfall waterfall) {
    TraceRecord begin = waterfall.begin().orElse(null);
    TraceRecord end = waterfall.end().orElse(null);
    long whole = waterfall.toNanos() - waterfall.fromNanos();
    out.println(
        "%s %s: %s, %s, began %s"
            .formatted(
                TraceRecord.idName(id),
                begin == null ? "(its begin is not recorded)" : by(begin),
                end == null ? "no end recorded" : name(end.to()),
                Times.length(whole),
                Times.instant(waterfall.fromNanos() + read.epochLessClockNanos())));
    out.println();
    TextTable table = new TextTable(2, "", "", "AT", "TOOK");
    for (Waterfall.Step step : waterfall.steps().list()) {
      String what = what(step.record());
      boolean isOther = step.record().request() != id;
      table.row(
          bar(step.fromNanos() - waterfall.fromNanos(), step.toNanos() - step.fromNanos(), whole),
          isOther ? what + " (" + TraceRecord.idName(step.record().request()) + ")" : what,
          Times.length(step.fromNanos() - waterfall.fromNanos()),
          step.toNanos() == step.fromNanos()
              ? ""
              : Times.length(step.toNanos() - step.fromNanos()));
    }
    table.print(out);
    if (waterfall.steps().leftOut() > 0) {
      out.println("and " + waterfall.steps().leftOut() + " more");
    }
  }

  private String by(TraceRecord begin) {
    return begin.from() == 0
        ? name(begin.name())
        : name(begin.name()) + " by " + name(begin.from());
  }

  /** A stay by the state that was come into, a call by its verb; all else as it is. */
  private String what(TraceRecord one) {
    return switch (one.kind()) {
      case TRANSITION -> "%s#%d %s".formatted(name(one.name()), one.number(), name(one.to()));
      case REQUEST -> by(one);
      default -> one.describe(names);
    };
  }

  private static String bar(long at, long length, long whole) {
    int from = whole == 0 ? 0 : (int) (at * BAR / whole);
    int to = whole == 0 ? 0 : (int) ((at + length) * BAR / whole);
    int start = Math.clamp(from, 0, BAR - 1);
    int marks = Math.clamp(to - from, 1, BAR - start);
    String mark = length == 0 ? "." : "#".repeat(marks);
    String bar = " ".repeat(start) + mark;
    return "|" + bar + " ".repeat(BAR - bar.length()) + "|";
  }

  @Override
  public void states(List<StateTimes.Stay> stays) {
    TextTable table = new TextTable(2, "MACHINE", "STATE", "COUNT", "SUM", "P50", "P99", "LONGEST");
    for (StateTimes.Stay stay : stays) {
      Spread spread = stay.spread();
      table.row(
          name(stay.state().machine()),
          name(stay.state().state()),
          spread.count(),
          Times.length(spread.sumNanos()),
          Times.length(spread.quantileNanos(MEDIAN)),
          Times.length(spread.quantileNanos(NEARLY_ALL)),
          Times.length(spread.maxNanos()));
    }
    table.print(out);
  }

  @Override
  public void depths(long epochNanos, Depths depths) {
    out.println("at " + Times.instant(epochNanos));
    out.println();
    TextTable table = new TextTable(2, "WHAT", "", "COUNT");
    depths.requests().forEach((verb, count) -> table.row("request", name(verb), count));
    depths
        .machines()
        .forEach((state, count) -> table.row(name(state.machine()), name(state.state()), count));
    depths.device().forEach((operation, count) -> table.row("device", name(operation), count));
    table.row("upcalls", "that wait", depths.upcalls());
    table.print(out);
  }

  @Override
  public void stalls(Stalls stalls) {
    out.println(stalls.count() + " stalls");
    long shift = read.epochLessClockNanos();
    for (Stalls.Stall stall : stalls.longest()) {
      TraceRecord one = stall.record();
      out.println();
      out.println(
          "%s  %s in %s%s"
              .formatted(
                  Times.ofDay(one.atNanos() + shift),
                  Times.length(one.extra()),
                  name(one.name()),
                  one.request() == 0 ? "" : ", for " + TraceRecord.idName(one.request())));
      TextTable table = new TextTable(2, "  BEFORE", "", "EARLIER BY");
      for (TraceRecord before : stall.before()) {
        table.row(
            "  " + (before.request() == 0 ? "" : TraceRecord.idName(before.request())),
            before.describe(names),
            Times.length(one.atNanos() - before.atNanos()));
      }
      table.print(out);
    }
  }

  private String name(int index) {
    return TraceRecord.text(names, index);
  }
}
