package dev.upcall.cli.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.journal.trace.TraceRecord;
import dev.upcall.journal.trace.TraceSource;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Records as trace events, the JSON that browsers and Perfetto show: requests, stays of machines
 * and requests of the device as asynchronous slices, turns and stalls as slices of the store's
 * thread, the queue of upcalls as a counter. Each record is written as it comes.
 */
final class TraceEvents {
  private static final long PROCESS = 1;
  private static final int NANO_DIGITS = 3;

  private final JsonGenerator json;
  private final List<String> names;

  /** Machines whose last move was written as the begin of a slice. */
  private final Set<String> standing = new HashSet<>();

  private long events;

  private TraceEvents(JsonGenerator json, List<String> names) {
    this.json = json;
    this.names = names;
  }

  /**
   * Writes one document.
   *
   * @param names of all records
   * @param out stays open
   * @return how many events
   */
  static long write(TraceSource.Cursor records, List<String> names, OutputStream out)
      throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      TraceEvents to = new TraceEvents(json, names);
      json.writeStartObject();
      json.writeStringField("displayTimeUnit", "ns");
      json.writeArrayFieldStart("traceEvents");
      to.threadName();
      records.read(to::take);
      json.writeEndArray();
      json.writeEndObject();
      return to.events;
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
  }

  private void threadName() throws IOException {
    json.writeStartObject();
    json.writeStringField("ph", "M");
    json.writeStringField("name", "thread_name");
    json.writeNumberField("pid", PROCESS);
    json.writeNumberField("tid", PROCESS);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", "the store's thread");
    json.writeEndObject();
    json.writeEndObject();
  }

  private void take(TraceRecord one) {
    try {
      write(one);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void write(TraceRecord one) throws IOException {
    String what = TraceRecord.text(names, one.name());
    String id = TraceRecord.idName(one.request());
    switch (one.kind()) {
      case REQUEST -> slice("b", "request", what, id, one);
      case COMPLETION -> slice("e", "request", what, id, one);
      case TRANSITION -> move(what + "#" + one.number(), one);
      case DISK_REQUEST -> slice("b", "device", what, "disk#" + one.number(), one);
      case DISK_COMPLETION -> slice("e", "device", what, "disk#" + one.number(), one);
      case TURN -> {
        // It is recorded when it has ended; a stall as of its begin.
        span("turn", one, one.atNanos() - one.extra());
        begin("C", "upcalls that wait", one.atNanos());
        json.writeObjectFieldStart("args");
        json.writeNumberField("upcalls", one.queueAfter());
        json.writeEndObject();
        json.writeEndObject();
      }
      case STALL -> span("stall: " + what, one, one.atNanos());
      case STAGE, JOIN, INPUT -> {
        begin("i", one.describe(names), one.atNanos());
        json.writeStringField("s", "t");
        request(one);
      }
      case UNKNOWN -> {
        // Of a later version: nobody knows what to show.
      }
    }
  }

  /** The end of a stay in a state, and the begin of the next. */
  private void move(String machine, TraceRecord one) throws IOException {
    if (!standing.add(machine)) {
      slice("e", "machine", TraceRecord.text(names, one.from()), machine, one);
    }
    slice("b", "machine", TraceRecord.text(names, one.to()), machine, one);
  }

  private void slice(String phase, String category, String name, String id, TraceRecord one)
      throws IOException {
    begin(phase, name, one.atNanos());
    json.writeStringField("cat", category);
    json.writeStringField("id", id);
    request(one);
  }

  /** A turn, or an upcall in it. */
  private void span(String name, TraceRecord one, long fromNanos) throws IOException {
    begin("X", name, fromNanos);
    json.writeFieldName("dur");
    json.writeNumber(micros(one.extra()));
    request(one);
  }

  private void begin(String phase, String name, long atNanos) throws IOException {
    events++;
    json.writeStartObject();
    json.writeStringField("ph", phase);
    json.writeStringField("name", name);
    json.writeNumberField("pid", PROCESS);
    json.writeNumberField("tid", PROCESS);
    json.writeFieldName("ts");
    json.writeNumber(micros(atNanos));
  }

  private void request(TraceRecord one) throws IOException {
    json.writeObjectFieldStart("args");
    if (one.request() != 0) {
      json.writeStringField("request", TraceRecord.idName(one.request()));
    }
    json.writeStringField("record", one.describe(names));
    json.writeEndObject();
    json.writeEndObject();
  }

  private static BigDecimal micros(long nanos) {
    return BigDecimal.valueOf(nanos, NANO_DIGITS);
  }
}
