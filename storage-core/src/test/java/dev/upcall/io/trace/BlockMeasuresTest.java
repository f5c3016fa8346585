package dev.upcall.io.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.DiskOperation;
import dev.upcall.io.IoClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BlockMeasuresTest {
  private static final double EXACT = 1e-12;

  private static BlockProfile profile(List<TraceEntry> trace, long blocks) {
    BlockMeasures measures = new BlockMeasures(blocks);
    trace.forEach(measures::record);
    return measures.snapshot();
  }

  private static TraceEntry entry(long millis, DiskOperation operation, long block, long blocks) {
    return new TraceEntry(
        millis * 1_000_000,
        operation,
        IoClass.FOREGROUND_READ,
        new TraceEntry.Run(block, blocks),
        new TraceEntry.Source(3, 1, 0));
  }

  @Test
  void aFewRequestsByHand() {
    BlockProfile profile =
        profile(
            List.of(
                entry(0, DiskOperation.READ, 10, 2),
                entry(1, DiskOperation.WRITE, 12, 1),
                entry(2, DiskOperation.READ, 12, 4),
                entry(3, DiskOperation.SYNC, 0, 0),
                entry(4, DiskOperation.DURABLE_WRITE, 13, 1),
                entry(8, DiskOperation.READ, 14, 1)),
            100);
    assertEquals(7 * 8, profile.reads().sectors());
    assertEquals(2, profile.reads().streams());
    assertEquals(28, profile.reads().meanStreamSectors());
    assertEquals(1.0 / 3, profile.reads().sequentiality());
    assertEquals(1.0 / 3, profile.reads().sequentialityToAny(), "14 follows the write of 13");
    assertEquals(0.5, profile.writes().sequentiality(), "durable or not");
    assertEquals(16, profile.writes().meanStreamSectors());
    assertEquals(1, profile.syncs());
    assertEquals(2_000_000, profile.meanInterarrivalNanos());
    assertEquals(7.0 / 9, profile.readShareOfSectors());
    assertEquals(0.6, profile.readShareOfRequests());
    assertEquals(new BlockProfile.Pages(6, 1, 6, 6), profile.pages());
    BlockProfile.Share share = Objects.requireNonNull(profile.askers().get(3));
    assertEquals(5, share.requests());
    assertEquals(9, share.blocks());
    assertEquals(4, share.sizes().max());
    assertEquals(3, share.distances().count(), "the first of each direction comes from nowhere");
    assertEquals(5, share.waits().count());
    assertEquals(2, profile.reads().distances().max(), "from 16 back to 14");
  }

  @Test
  void nothingIsMeasuredOfNothing() {
    BlockProfile profile = profile(List.of(), 100);
    assertEquals(0, profile.reads().meanStreamSectors());
    assertEquals(0, profile.meanInterarrivalNanos());
    assertEquals(0, profile.readShareOfSectors());
    assertEquals(new BlockProfile.Pages(0, 0, 0, 0), profile.pages());
  }

  @Property(tries = 200)
  void twoReadingsOfTheDefinitionsAgree(
      @ForAll long seed, @ForAll @IntRange(max = 600) int entries) {
    List<TraceEntry> trace = RandomTrace.of(seed, entries);
    PlainMeasures plain = new PlainMeasures(trace);
    BlockProfile profile = profile(trace, RandomTrace.BLOCKS + 100);
    check(plain, PlainMeasures::reads, profile.reads());
    check(plain, PlainMeasures::writes, profile.writes());
    assertEquals(plain.meanInterarrivalNanos(), profile.meanInterarrivalNanos(), EXACT);
    assertEquals(plain.footprint(), profile.pages().footprint());
    List<Long> minutes = plain.minutePages();
    assertEquals(minutes.size(), profile.pages().minutes());
    assertEquals(
        minutes.stream().mapToLong(each -> each).average().orElse(0),
        profile.pages().meanMinute(),
        1e-9);
    assertEquals(
        minutes.stream().mapToLong(each -> each).max().orElse(0), profile.pages().maxMinute());
    long requests = plain.requests(any -> true);
    assertEquals(requests, sum(List.copyOf(profile.classes().values())));
    assertEquals(requests, sum(List.copyOf(profile.askers().values())));
    assertTrue(profile.askers().size() <= 257, "rows for askers are bounded");
  }

  private static void check(
      PlainMeasures plain, Predicate<TraceEntry> direction, DirectionProfile profile) {
    assertEquals(plain.requests(direction), profile.requests());
    assertEquals(plain.sectors(direction), profile.sectors());
    assertEquals(plain.sequentiality(direction), profile.sequentiality(), EXACT);
    assertEquals(plain.sequentialityToAny(direction), profile.sequentialityToAny(), EXACT);
    List<Long> streams = plain.streamSectors(direction);
    assertEquals(streams.size(), profile.streams());
    assertEquals(
        streams.stream().mapToLong(each -> each).average().orElse(0),
        profile.meanStreamSectors(),
        1e-9);
    assertEquals(Math.round(profile.requests() * (1 - profile.sequentiality())), profile.streams());
    assertEquals(profile.requests(), profile.sizes().count());
    assertEquals(profile.blocks(), profile.sizes().sum());
    assertEquals(plain.waitedNanos(direction), profile.waits().sum());
    assertEquals(plain.distance(direction), profile.distances().sum());
  }

  private static long sum(List<BlockProfile.Share> shares) {
    return shares.stream().mapToLong(BlockProfile.Share::requests).sum();
  }

  @Test
  void aDeviceTooLargeForABitAPageIsSampled() {
    long pages = 16 * PageSet.MAX_BITS;
    PageSet set = new PageSet(pages);
    SplittableRandom random = new SplittableRandom(5);
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      long first = random.nextLong(pages / 100) * 100;
      starts.add(first);
      set.add(first, first + 50);
      set.add(first, first + 50);
    }
    long exact = starts.stream().distinct().count() * 50;
    assertEquals(1, (double) set.size() / exact, 0.05);
    set.clear();
    assertEquals(0, set.size());
    set.add(0, 1600);
    assertEquals(1600, set.size(), 16);
    set.add(pages - 1, pages + 10);
  }
}
