package dev.upcall.sim.store.campaign;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.sim.FaultKind;
import dev.upcall.sim.store.SimCounts;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a campaign was, for a person or a program.
 *
 * @param campaign the campaign, at its end
 * @param cpuNanos processor time of the whole process, compiler and collector included
 */
record SimReport(SimCampaign campaign, long cpuNanos) {
  private static final double NANOS_PER_MINUTE = 60e9;

  private double perMinute() {
    return campaign.tally().runs() * NANOS_PER_MINUTE / Math.max(1, campaign.nanos());
  }

  private double perCoreMinute() {
    return campaign.tally().runs() * NANOS_PER_MINUTE / Math.max(1, cpuNanos);
  }

  /** One line, also while the campaign is running. */
  String progress() {
    return String.format(
        Locale.ROOT,
        "%,d lifetimes in %d s, %d failed; %,.0f a minute, %,.0f a minute of one core",
        campaign.tally().runs(),
        campaign.nanos() / 1_000_000_000,
        campaign.tally().failures(),
        perMinute(),
        perCoreMinute());
  }

  /** The whole report as text. */
  void print(PrintWriter out) {
    SimCounts counts = campaign.counts();
    out.println("Transitions taken by the store's state machines:");
    counts.moves().forEach((machine, moves) -> print(out, machine, moves));
    out.println();
    out.println("Faults:");
    counts
        .faults()
        .forEach((kind, count) -> out.printf(Locale.ROOT, "  %,12d  %s%n", count, name(kind)));
    out.println();
    out.printf(
        Locale.ROOT,
        "Seeds from %d on, %d threads. %,d machine starts, %,d requests answered.%n",
        campaign.extent().first(),
        campaign.extent().threads(),
        counts.starts(),
        counts.answered());
    out.println(progress());
    for (String story : campaign.tally().stories()) {
      out.println();
      out.println(story);
    }
    for (String command : campaign.recordings().commands()) {
      out.println("recorded: " + command);
    }
  }

  private static void print(PrintWriter out, String machine, List<SimCounts.Move> moves) {
    long never = moves.stream().filter(move -> move.count() == 0).count();
    out.println("  " + machine + (never == 0 ? "" : ", " + never + " never"));
    for (SimCounts.Move move : moves) {
      out.printf(Locale.ROOT, "    %,12d  %s%n", move.count(), move);
    }
  }

  private static String name(FaultKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The whole report as one JSON document. */
  void printJson(PrintWriter out) throws IOException {
    SimCounts counts = campaign.counts();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeNumberField("firstSeed", campaign.extent().first());
      json.writeNumberField("lifetimes", campaign.tally().runs());
      json.writeNumberField("failures", campaign.tally().failures());
      json.writeNumberField("threads", campaign.extent().threads());
      json.writeNumberField("seconds", campaign.nanos() / 1e9);
      json.writeNumberField("processorSeconds", cpuNanos / 1e9);
      json.writeNumberField("lifetimesPerMinute", perMinute());
      json.writeNumberField("lifetimesPerMinutePerCore", perCoreMinute());
      json.writeNumberField("machineStarts", counts.starts());
      json.writeNumberField("requestsAnswered", counts.answered());
      json.writeObjectFieldStart("faults");
      for (Map.Entry<FaultKind, Long> fault : counts.faults().entrySet()) {
        json.writeNumberField(name(fault.getKey()), fault.getValue());
      }
      json.writeEndObject();
      json.writeObjectFieldStart("transitions");
      for (Map.Entry<String, List<SimCounts.Move>> machine : counts.moves().entrySet()) {
        json.writeArrayFieldStart(machine.getKey());
        for (SimCounts.Move move : machine.getValue()) {
          json.writeStartObject();
          json.writeStringField("from", move.from());
          json.writeStringField("to", move.to());
          json.writeStringField("event", move.event());
          json.writeNumberField("count", move.count());
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
      json.writeArrayFieldStart("stories");
      for (String story : campaign.tally().stories()) {
        json.writeString(story);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("recordings");
      for (String command : campaign.recordings().commands()) {
        json.writeString(command);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
  }
}
