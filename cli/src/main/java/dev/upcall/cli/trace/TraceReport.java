package dev.upcall.cli.trace;

import dev.upcall.journal.trace.Depths;
import dev.upcall.journal.trace.Overview;
import dev.upcall.journal.trace.SlowestRequests;
import dev.upcall.journal.trace.Stalls;
import dev.upcall.journal.trace.StateTimes;
import dev.upcall.journal.trace.Waterfall;
import java.io.IOException;
import java.util.List;

/** What was found, written for people or for programs. */
interface TraceReport {
  void overview(TraceCommand.Records records, Overview all, List<SlowestRequests.Verb> verbs)
      throws IOException;

  void slowest(List<SlowestRequests.Verb> verbs) throws IOException;

  void request(long id, Waterfall waterfall) throws IOException;

  void states(List<StateTimes.Stay> stays) throws IOException;

  /** What was under way at a time since 1970. */
  void depths(long epochNanos, Depths depths) throws IOException;

  void stalls(Stalls stalls) throws IOException;
}
