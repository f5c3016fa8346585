package dev.upcall.metrics;

import dev.upcall.io.Disk;
import dev.upcall.io.trace.BlockProfile;
import dev.upcall.io.trace.BlockTraffic;
import dev.upcall.io.trace.DirectionProfile;

/** The meters of block traffic: those of the study of e-commerce storage, and of the trace. */
final class TrafficCatalogue {
  private static final String P = "upcall.blocks.";
  private static final String REQUESTS = "requests";
  private static final String BLOCKS = "blocks";
  private static final String DIRECTION = "direction";
  private static final String ENTRIES = "entries";

  private final MeterReading to;

  TrafficCatalogue(MeterReading to) {
    this.to = to;
  }

  /** What is kept, if anything is. */
  void add(BlockTraffic.Counts traffic) {
    BlockProfile profile = traffic.profile();
    if (profile != null) {
      direction("read", profile.reads());
      direction("write", profile.writes());
      to.latency(
          P + "interarrival",
          "the time between one request that moves data and the next",
          profile.interarrivals());
      BlockProfile.Pages pages = profile.pages();
      to.level(
          P + "footprint",
          Series.Meter.BYTES,
          "different blocks that were ever moved",
          pages.footprint() * Disk.BLOCK_BYTES);
      to.level(
          P + "working.set",
          Series.Meter.BYTES,
          "different blocks that are moved in a minute, on average",
          Math.round(pages.meanMinute() * Disk.BLOCK_BYTES));
      to.level(
          P + "working.set.max",
          Series.Meter.BYTES,
          "the same of the minute with the most",
          pages.maxMinute() * Disk.BLOCK_BYTES);
    }
    BlockTraffic.TraceCounts trace = traffic.trace();
    if (trace != null) {
      to.count(P + "traced", ENTRIES, "requests that the trace has taken", trace.recorded());
      to.count(P + "trace.lost", ENTRIES, "those that found no room in it", trace.lost());
      to.level(
          P + "trace.off",
          "traces",
          "1 once the trace has ended by itself",
          trace.isOver() ? 1 : 0);
    }
  }

  private void direction(String name, DirectionProfile direction) {
    String[] tags = {DIRECTION, name};
    to.count(P + "requests", REQUESTS, "requests that moved data", direction.requests(), tags);
    to.count(P + "sectors", "sectors", "what they moved, of 512 bytes", direction.sectors(), tags);
    to.count(
        P + "sequential",
        REQUESTS,
        "those that began where the one before of their direction had ended",
        direction.sequential(),
        tags);
    to.count(
        P + "sequential.any",
        REQUESTS,
        "those that began where the one before of either direction had ended",
        direction.sequentialToAny(),
        tags);
    to.count(
        P + "streams",
        "streams",
        "runs of requests of which all but the first continue the one before",
        direction.streams(),
        tags);
    to.spread(P + "size", BLOCKS, "blocks of a request", direction.sizes(), tags);
    to.spread(
        P + "distance",
        BLOCKS,
        "blocks between the end of one and the begin of the next of its direction",
        direction.distances(),
        tags);
    to.latency(P + "held", "how long the scheduler held a request back", direction.waits(), tags);
  }
}
