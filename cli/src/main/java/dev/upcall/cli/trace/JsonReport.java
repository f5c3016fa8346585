package dev.upcall.cli.trace;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.cli.option.JsonDocument;
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
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** For programs: one JSON document. */
final class JsonReport implements TraceReport {
  private static final double MEDIAN = 0.5;
  private static final double NEARLY_ALL = 0.99;

  private final PrintStream out;
  private final List<String> names;
  private final TraceSource.Cursor read;

  JsonReport(PrintStream out, TraceSource.Cursor read) {
    this.out = out;
    this.names = read.names();
    this.read = read;
  }

  private void document(JsonDocument.Fields fields) throws IOException {
    JsonDocument.write(
        out,
        json -> {
          fields.write(json);
          json.writeNumberField("missing", read.missing());
          json.writeNumberField("damaged", read.damaged());
        });
  }

  @Override
  public void overview(TraceCommand.Records records, Overview all, List<SlowestRequests.Verb> verbs)
      throws IOException {
    document(
        json -> {
          json.writeStringField("from", records.place());
          json.writeNumberField("run", records.run());
          json.writeNumberField("runs", records.runs());
          json.writeNumberField("records", all.count());
          if (all.count() > 0) {
            time(json, "first", all.firstNanos());
            time(json, "last", all.lastNanos());
          }
          json.writeNumberField("stalls", all.records().getOrDefault(TraceKind.STALL, 0L));
          json.writeArrayFieldStart("requests");
          for (SlowestRequests.Verb verb : verbs) {
            json.writeStartObject();
            json.writeStringField("request", name(verb.name()));
            spread(json, verb.spread());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  @Override
  public void slowest(List<SlowestRequests.Verb> verbs) throws IOException {
    document(
        json -> {
          json.writeArrayFieldStart("slowest");
          for (SlowestRequests.Verb verb : verbs) {
            for (Finished one : verb.slowest()) {
              json.writeStartObject();
              request(json, one, names, read.epochLessClockNanos());
              json.writeEndObject();
            }
          }
          json.writeEndArray();
        });
  }

  /** Fields of a request that has ended; the caller's object. */
  static void request(JsonGenerator json, Finished one, List<String> names, long shift)
      throws IOException {
    json.writeStringField("id", TraceRecord.idName(one.request()));
    json.writeStringField("request", TraceRecord.text(names, one.verb()));
    json.writeStringField("by", TraceRecord.text(names, one.origin()));
    json.writeStringField("outcome", TraceRecord.text(names, one.outcome()));
    json.writeStringField("began", Times.instant(one.beginNanos() + shift).toString());
    json.writeNumberField("tookNanos", one.tookNanos());
  }

  @Override
  public void request(long id, Waterfall waterfall) throws IOException {
    TraceRecord begin = waterfall.begin().orElse(null);
    TraceRecord end = waterfall.end().orElse(null);
    document(
        json -> {
          json.writeStringField("id", TraceRecord.idName(id));
          if (begin != null) {
            json.writeStringField("request", name(begin.name()));
            json.writeStringField("by", name(begin.from()));
          }
          if (end != null) {
            json.writeStringField("outcome", name(end.to()));
          }
          time(json, "began", waterfall.fromNanos());
          json.writeNumberField("tookNanos", waterfall.toNanos() - waterfall.fromNanos());
          json.writeArrayFieldStart("steps");
          for (Waterfall.Step step : waterfall.steps().list()) {
            json.writeStartObject();
            json.writeNumberField("atNanos", step.fromNanos() - waterfall.fromNanos());
            json.writeNumberField("tookNanos", step.toNanos() - step.fromNanos());
            json.writeStringField("id", TraceRecord.idName(step.record().request()));
            fields(json, step.record());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeNumberField("leftOut", waterfall.steps().leftOut());
        });
  }

  /** What a record tells; the caller's object. */
  private void fields(JsonGenerator json, TraceRecord one) throws IOException {
    json.writeStringField("kind", one.kind().name());
    json.writeStringField("name", one.kind() == TraceKind.TURN ? "" : name(one.name()));
    if (one.kind() == TraceKind.TRANSITION) {
      json.writeNumberField("number", one.number());
      json.writeStringField("from", name(one.from()));
      json.writeStringField("state", name(one.to()));
    } else if (one.kind() == TraceKind.DISK_REQUEST || one.kind() == TraceKind.DISK_COMPLETION) {
      json.writeStringField("class", name(one.from()));
      json.writeNumberField("block", one.extra());
      json.writeNumberField("blocks", one.more());
    }
  }

  @Override
  public void states(List<StateTimes.Stay> stays) throws IOException {
    document(
        json -> {
          json.writeArrayFieldStart("states");
          for (StateTimes.Stay stay : stays) {
            json.writeStartObject();
            json.writeStringField("machine", name(stay.state().machine()));
            json.writeStringField("state", name(stay.state().state()));
            spread(json, stay.spread());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  @Override
  public void depths(long epochNanos, Depths depths) throws IOException {
    document(
        json -> {
          json.writeStringField("at", Times.instant(epochNanos).toString());
          counts(json, "requests", depths.requests());
          json.writeArrayFieldStart("machines");
          for (Map.Entry<StateTimes.State, Long> one : depths.machines().entrySet()) {
            json.writeStartObject();
            json.writeStringField("machine", name(one.getKey().machine()));
            json.writeStringField("state", name(one.getKey().state()));
            json.writeNumberField("count", one.getValue());
            json.writeEndObject();
          }
          json.writeEndArray();
          counts(json, "device", depths.device());
          json.writeNumberField("upcalls", depths.upcalls());
        });
  }

  private void counts(JsonGenerator json, String field, Map<Integer, Long> counts)
      throws IOException {
    json.writeObjectFieldStart(field);
    for (Map.Entry<Integer, Long> one : counts.entrySet()) {
      json.writeNumberField(name(one.getKey()), one.getValue());
    }
    json.writeEndObject();
  }

  @Override
  public void stalls(Stalls stalls) throws IOException {
    document(
        json -> {
          json.writeNumberField("count", stalls.count());
          json.writeArrayFieldStart("stalls");
          for (Stalls.Stall stall : stalls.longest()) {
            TraceRecord one = stall.record();
            json.writeStartObject();
            time(json, "at", one.atNanos());
            json.writeNumberField("tookNanos", one.extra());
            json.writeStringField("culprit", name(one.name()));
            json.writeStringField("id", TraceRecord.idName(one.request()));
            json.writeArrayFieldStart("before");
            for (TraceRecord before : stall.before()) {
              json.writeStartObject();
              json.writeNumberField("earlierNanos", one.atNanos() - before.atNanos());
              json.writeStringField("id", TraceRecord.idName(before.request()));
              fields(json, before);
              json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void spread(JsonGenerator json, Spread spread) throws IOException {
    json.writeNumberField("count", spread.count());
    json.writeNumberField("sumNanos", spread.sumNanos());
    json.writeNumberField("p50Nanos", spread.quantileNanos(MEDIAN));
    json.writeNumberField("p99Nanos", spread.quantileNanos(NEARLY_ALL));
    json.writeNumberField("maxNanos", spread.maxNanos());
  }

  private void time(JsonGenerator json, String field, long clockNanos) throws IOException {
    json.writeStringField(field, Times.instant(clockNanos + read.epochLessClockNanos()).toString());
  }

  private String name(int index) {
    return TraceRecord.text(names, index);
  }
}
