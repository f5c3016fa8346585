package dev.upcall.cli.trace;

import dev.upcall.cli.option.JsonDocument;
import dev.upcall.journal.trace.Requests;
import dev.upcall.journal.trace.Requests.Finished;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A line for each request that ends; for programs each line is a JSON document. */
final class Following {
  private final PrintStream out;
  private final TraceSource.Cursor cursor;
  private final boolean json;
  private final UnaryOperator<String> shown;
  private final List<Finished> finished = new ArrayList<>();
  private final Requests requests = new Requests(finished::add);

  Following(PrintStream out, TraceSource.Cursor cursor, boolean json, UnaryOperator<String> shown) {
    this.out = out;
    this.cursor = cursor;
    this.json = json;
    this.shown = shown;
  }

  /** Writes those that have ended since the last call. */
  void read() throws IOException {
    cursor.read(requests);
    if (finished.isEmpty()) {
      return;
    }
    List<String> names = cursor.names().stream().map(shown).toList();
    long shift = cursor.epochLessClockNanos();
    for (Finished one : finished) {
      if (json) {
        JsonDocument.write(out, document -> JsonReport.request(document, one, names, shift));
      } else {
        out.printf(
            "%s  %-12s %-8s %-8s %-12s %10s%n",
            Times.ofDay(one.beginNanos() + shift),
            TraceRecord.idName(one.request()),
            TraceRecord.text(names, one.verb()),
            TraceRecord.text(names, one.origin()),
            TraceRecord.text(names, one.outcome()),
            Times.length(one.tookNanos()));
      }
    }
    finished.clear();
  }
}
