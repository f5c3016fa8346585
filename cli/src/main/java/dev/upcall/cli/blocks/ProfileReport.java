package dev.upcall.cli.blocks;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.cli.option.TextTable;
import dev.upcall.fsm.Asker;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.io.Disk;
import dev.upcall.io.trace.BlockProfile;
import dev.upcall.io.trace.DirectionProfile;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The measures of block traffic, for people and for programs. */
record ProfileReport(BlockProfile profile) {
  private static final double HALF = 0.5;
  private static final double NEARLY_ALL = 0.99;
  private static final double MILLI_NANOS = 1e6;
  private static final double MIB = 1 << 20;
  private static final int MOST_ASKERS = 20;

  // ------------------------------------------------------------------ for people

  void print(PrintStream out) {
    TextTable measures = new TextTable(1, "", "read", "write");
    DirectionProfile reads = profile.reads();
    DirectionProfile writes = profile.writes();
    measures.row("requests", reads.requests(), writes.requests());
    measures.row("sectors", reads.sectors(), writes.sectors());
    measures.row("streams", reads.streams(), writes.streams());
    measures.row(
        "mean stream, sectors",
        decimal(reads.meanStreamSectors()),
        decimal(writes.meanStreamSectors()));
    measures.row("sequentiality", decimal(reads.sequentiality()), decimal(writes.sequentiality()));
    measures.row(
        "sequential to any",
        decimal(reads.sequentialityToAny()),
        decimal(writes.sequentialityToAny()));
    measures.print(out);
    out.println();
    BlockProfile.Pages pages = profile.pages();
    TextTable whole = new TextTable(1, "", "");
    whole.row("read share of sectors", decimal(profile.readShareOfSectors()));
    whole.row("read share of requests", decimal(profile.readShareOfRequests()));
    whole.row("mean interarrival, ms", decimal(profile.meanInterarrivalNanos() / MILLI_NANOS));
    whole.row("syncs", profile.syncs());
    whole.row("room made, given back or cut", profile.others());
    whole.row("footprint, MiB", decimal(mib((double) pages.footprint())));
    whole.row("working set of a minute, mean, MiB", decimal(mib(pages.meanMinute())));
    whole.row("working set of a minute, most, MiB", decimal(mib((double) pages.maxMinute())));
    whole.print(out);
    out.println();
    TextTable shares =
        new TextTable(
            1,
            "",
            "requests",
            "sectors",
            "size p50",
            "p99, blocks",
            "distance p50",
            "p99, blocks",
            "held p50",
            "p99, ms");
    share(shares, "read", shareOf(reads));
    share(shares, "write", shareOf(writes));
    profile
        .classes()
        .forEach((ioClass, share) -> share(shares, ioClass.name().toLowerCase(Locale.ROOT), share));
    List<Map.Entry<Integer, BlockProfile.Share>> askers = askers();
    askers.stream()
        .limit(MOST_ASKERS)
        .forEach(asker -> share(shares, name(asker.getKey()), asker.getValue()));
    shares.print(out);
    if (askers.size() > MOST_ASKERS) {
      out.println("and " + (askers.size() - MOST_ASKERS) + " more who ask; --json has them");
    }
  }

  private List<Map.Entry<Integer, BlockProfile.Share>> askers() {
    return profile.askers().entrySet().stream()
        .sorted(
            Comparator.comparing(
                (Map.Entry<Integer, BlockProfile.Share> asker) -> -asker.getValue().blocks()))
        .toList();
  }

  private static BlockProfile.Share shareOf(DirectionProfile direction) {
    return new BlockProfile.Share(
        direction.requests(),
        direction.blocks(),
        direction.sizes(),
        direction.distances(),
        direction.waits());
  }

  private static void share(TextTable table, String name, BlockProfile.Share share) {
    table.row(
        name,
        share.requests(),
        share.blocks() * 8,
        share.sizes().quantile(HALF),
        share.sizes().quantile(NEARLY_ALL),
        share.distances().quantile(HALF),
        share.distances().quantile(NEARLY_ALL),
        decimal(share.waits().quantile(HALF) / MILLI_NANOS),
        decimal(share.waits().quantile(NEARLY_ALL) / MILLI_NANOS));
  }

  private static String name(int asker) {
    return asker == BlockProfile.OTHER_ASKERS ? "others" : Asker.name(asker);
  }

  private static double mib(double pages) {
    return pages * Disk.BLOCK_BYTES / MIB;
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  // ------------------------------------------------------------------ for programs

  void write(JsonGenerator json) throws IOException {
    direction(json, "reads", profile.reads());
    direction(json, "writes", profile.writes());
    json.writeNumberField("syncs", profile.syncs());
    json.writeNumberField("others", profile.others());
    json.writeNumberField("readShareOfSectors", profile.readShareOfSectors());
    json.writeNumberField("readShareOfRequests", profile.readShareOfRequests());
    json.writeNumberField("spanNanos", profile.spanNanos());
    json.writeNumberField("meanInterarrivalNanos", profile.meanInterarrivalNanos());
    spread(json, "interarrivalNanos", profile.interarrivals());
    json.writeNumberField("footprintPages", profile.pages().footprint());
    json.writeNumberField("minutes", profile.pages().minutes());
    json.writeNumberField("meanMinutePages", profile.pages().meanMinute());
    json.writeNumberField("maxMinutePages", profile.pages().maxMinute());
    json.writeArrayFieldStart("classes");
    for (var share : profile.classes().entrySet()) {
      json.writeStartObject();
      json.writeStringField("class", share.getKey().name().toLowerCase(Locale.ROOT));
      share(json, share.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("askers");
    for (var share : askers()) {
      json.writeStartObject();
      json.writeNumberField("asker", share.getKey());
      json.writeStringField("name", name(share.getKey()));
      share(json, share.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void direction(JsonGenerator json, String field, DirectionProfile direction)
      throws IOException {
    json.writeObjectFieldStart(field);
    json.writeNumberField("sectors", direction.sectors());
    json.writeNumberField("sequential", direction.sequential());
    json.writeNumberField("sequentialToAny", direction.sequentialToAny());
    json.writeNumberField("sequentiality", direction.sequentiality());
    json.writeNumberField("sequentialityToAny", direction.sequentialityToAny());
    json.writeNumberField("streams", direction.streams());
    json.writeNumberField("meanStreamSectors", direction.meanStreamSectors());
    share(json, shareOf(direction));
    json.writeEndObject();
  }

  private static void share(JsonGenerator json, BlockProfile.Share share) throws IOException {
    json.writeNumberField("requests", share.requests());
    json.writeNumberField("blocks", share.blocks());
    spread(json, "sizeBlocks", share.sizes());
    spread(json, "distanceBlocks", share.distances());
    spread(json, "heldNanos", share.waits());
  }

  /** An object of a distribution; the caller's field. */
  static void spread(JsonGenerator json, String field, DistributionSnapshot spread)
      throws IOException {
    json.writeObjectFieldStart(field);
    json.writeNumberField("count", spread.count());
    json.writeNumberField("mean", spread.mean());
    json.writeNumberField("p50", spread.quantile(HALF));
    json.writeNumberField("p90", spread.quantile(0.9));
    json.writeNumberField("p99", spread.quantile(NEARLY_ALL));
    json.writeNumberField("max", spread.max());
    json.writeEndObject();
  }
}
