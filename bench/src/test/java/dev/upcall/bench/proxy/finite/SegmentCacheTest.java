package dev.upcall.bench.proxy.finite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.proxy.disk.CountedDisk;
import dev.upcall.bench.proxy.disk.DiskCounts;
import dev.upcall.bench.proxy.disk.DiskShape;
import dev.upcall.bench.proxy.disk.MappedFile;
import dev.upcall.bench.proxy.disk.PageMemory;
import dev.upcall.bench.proxy.place.Packing;
import dev.upcall.bench.proxy.place.Segments;
import dev.upcall.bench.proxy.trace.RequestTrace;
import dev.upcall.bench.proxy.trace.TraceConfig;
import dev.upcall.bench.proxy.trace.TraceDraw;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The content of a bounded file after each request, against models that are plainly right. */
class SegmentCacheTest {
  private static final int PAGES = 12;
  private static final long FILE_BYTES = (long) PAGES * Segments.PAGE_BYTES;

  private final RequestTrace trace = randomTrace();

  private static RequestTrace randomTrace() {
    SplittableRandom random = new SplittableRandom(17);
    int[] sizes = random.ints(300, 1, 8_193).toArray();
    int[] requests =
        IntStream.range(0, 12_000)
            .map(i -> (int) (300 * Math.pow(random.nextDouble(), 2)))
            .toArray();
    return RequestTrace.of(0, sizes, requests);
  }

  private static MappedFile mapped() {
    CountedDisk disk = new CountedDisk(DiskShape.mapped(PAGES));
    PageMemory memory = new PageMemory(PAGES, disk, CountedDisk.Purpose.MAPPED, 0, PAGES);
    return new MappedFile(memory, 0, /* readsHoles= */ false);
  }

  /** An object in the file. */
  private static final class Held {
    private final long offset;
    private int object;
    private int count = 1;

    Held(long offset, int object) {
      this.offset = offset;
      this.object = object;
    }
  }

  /** One class of the file as lists. */
  private abstract static class Model {
    /** In the order of the policy. */
    final List<Held> order = new ArrayList<>();

    abstract void hit(Held held);

    abstract Held victim();

    void replaced(Held held) {
      order.remove(held);
      order.add(held);
    }

    void added(Held held) {
      order.add(held);
    }
  }

  private static final class LruModel extends Model {
    @Override
    void hit(Held held) {
      replaced(held);
    }

    @Override
    Held victim() {
      return order.getFirst();
    }
  }

  /** Sieve: a hand that spares once. */
  private static final class SieveModel extends Model {
    private int hand;

    @Override
    void hit(Held held) {
      held.count = 2;
    }

    @Override
    Held victim() {
      while (order.get(hand).count > 1) {
        order.get(hand).count = 1;
        hand = (hand + 1) % order.size();
      }
      Held held = order.get(hand);
      // It leaves its place, into which the next one moves; behind the last comes the first.
      hand = hand == order.size() - 1 ? 0 : hand;
      return held;
    }
  }

  /** The pointer stands at an address; all models of one cache know each other. */
  private static final class CyclicModel extends Model {
    private final int most;
    private final int mostMean;
    private final List<Model> all;
    private long pointer;

    CyclicModel(int most, int mostMean, List<Model> all) {
      this.most = most;
      this.mostMean = mostMean;
      this.all = all;
    }

    @Override
    void hit(Held held) {
      held.count++;
      age();
    }

    @Override
    void added(Held held) {
      super.added(held);
      order.sort((one, other) -> Long.compare(one.offset, other.offset));
      age();
    }

    @Override
    Held victim() {
      int at = 0;
      while (at < order.size() && order.get(at).offset < pointer) {
        at++;
      }
      at %= order.size();
      for (int turn = 0; turn < order.size() && order.get(at).count >= most; turn++) {
        at = (at + 1) % order.size();
      }
      pointer = order.get(at).offset + 1;
      return order.get(at);
    }

    @Override
    void replaced(Held held) {
      held.count = 1;
      age();
    }

    private void age() {
      List<Held> objects = all.stream().flatMap(each -> each.order.stream()).toList();
      if (objects.stream().mapToLong(held -> held.count).sum() > (long) mostMean * objects.size()) {
        objects.forEach(held -> held.count = (held.count + 1) / 2);
      }
    }
  }

  private static List<Model> models(PolicyKind kind) {
    List<Model> models = new ArrayList<>();
    for (int i = 0; i < Segments.CLASSES; i++) {
      models.add(
          switch (kind) {
            case PolicyKind.Cyclic cyclic ->
                new CyclicModel(cyclic.most(), cyclic.mostMean(), models);
            case PolicyKind.Simple simple ->
                simple.equals(PolicyKind.LRU) ? new LruModel() : new SieveModel();
          });
    }
    return models;
  }

  static List<PolicyKind> kinds() {
    return List.of(
        PolicyKind.LRU,
        PolicyKind.SIEVE,
        PolicyKind.FBC,
        new PolicyKind.Cyclic(2, 3, /* isShared= */ false),
        new PolicyKind.Cyclic(10, 2, /* isShared= */ false));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void afterEachRequest_theFileHoldsWhatTheModelHolds(PolicyKind kind) {
    SegmentCache cache = new SegmentCache(trace, FILE_BYTES, mapped(), kind);
    Packing packing = new Packing.Aligned(FILE_BYTES);
    List<Model> models = models(kind);
    Map<Integer, Held> held = new HashMap<>();
    for (int i = 0; i < trace.length(); i++) {
      int object = trace.object(i);
      int segmentClass = Segments.classOf(trace.sizeBytes(object));
      Model model = models.get(segmentClass);
      boolean isHit = held.containsKey(object);
      if (isHit) {
        model.hit(held.get(object));
      } else {
        long offset = packing.place(segmentClass);
        if (offset != Packing.FULL) {
          held.put(object, new Held(offset, object));
          model.added(held.get(object));
        } else {
          Held victim = model.victim();
          held.remove(victim.object);
          victim.object = object;
          victim.count = 1;
          held.put(object, victim);
          model.replaced(victim);
        }
      }
      assertEquals(isHit, cache.request(i), "request " + i);
      for (int other = 0; other < trace.objects(); other++) {
        Held there = held.get(other);
        assertEquals(there == null ? -1 : there.offset, cache.offset(other), "after " + i);
      }
    }
  }

  /** The sums stay between half of what starts ageing, once it has started, and all of it. */
  @Test
  void countsAge_whenTheirMeanIsAboveTheLimit() {
    CyclicReplacement.Counts counts = new CyclicReplacement.Counts(3, 5);
    CyclicReplacement one =
        new CyclicReplacement(counts, slot -> slot, new CyclicReplacement.Pointer());
    CyclicReplacement other =
        new CyclicReplacement(counts, slot -> slot, new CyclicReplacement.Pointer());
    for (int slot = 0; slot < 40; slot++) {
      one.added(slot, slot);
      other.added(slot, slot);
    }
    SplittableRandom random = new SplittableRandom(1);
    long ageings = 0;
    for (int i = 0; i < 50_000; i++) {
      CyclicReplacement some = random.nextBoolean() ? one : other;
      some.hit((int) (40 * Math.pow(random.nextDouble(), 3)));
      long sum = 0;
      for (int slot = 0; slot < 40; slot++) {
        assertTrue(one.count(slot) >= 1 && other.count(slot) >= 1);
        sum += one.count(slot) + other.count(slot);
      }
      assertEquals(sum, counts.sum());
      assertTrue(sum <= 5 * counts.objects(), () -> "too many: " + counts.sum());
      if (counts.ageings() > 0) {
        assertTrue(2 * sum >= 5 * counts.objects(), () -> "too few: " + counts.sum());
      }
      ageings = counts.ageings();
    }
    assertTrue(ageings > 100);
  }

  /** By hand: a file of one page, and objects of a whole page each. */
  @Test
  void theFuture_sharesASlotBetweenObjectsWhoseTimesDoNotOverlap() {
    int[] sizes = {8_000, 8_000, 8_000, 8_000};
    RequestTrace tiny = RequestTrace.of(0, sizes, 3, 0, 0, 1, 0, 2, 1, 2);
    FutureTable table = FutureTable.of(tiny, Segments.PAGE_BYTES);
    assertEquals(0, table.offset(0), "the most popular");
    assertEquals(-1, table.offset(1), "it begins before the first ends");
    assertEquals(0, table.offset(2), "it begins after that");
    assertEquals(-1, table.offset(3), "asked for once");
    FutureCache cache = new FutureCache(tiny, Segments.PAGE_BYTES, mapped());
    List<Boolean> hits = IntStream.range(0, 8).mapToObj(cache::request).toList();
    assertEquals(List.of(false, false, true, false, true, false, false, true), hits);
  }

  static List<PolicyKind> all() {
    return List.of(
        PolicyKind.LRU,
        PolicyKind.SIEVE,
        PolicyKind.S3_FIFO,
        PolicyKind.FBC,
        new PolicyKind.Cyclic(3, 100, /* isShared= */ true),
        PolicyKind.FUTURE);
  }

  @ParameterizedTest
  @MethodSource("all")
  void aRun_countsEachRequestOnce(PolicyKind kind) {
    RequestTrace drawn = TraceDraw.draw(TraceConfig.paper(1).scaled());
    RequestTrace small = drawn.smallOnly(Segments.PAGE_BYTES);
    long[] told = new long[1];
    FiniteConfig config = FiniteConfig.PAPER.scaled();
    FiniteResult result = FiniteRun.of(drawn, kind, config, entry -> told[0]++);
    assertEquals(small.length() - small.firstDay(), result.hits() + result.misses());
    DiskCounts counts = result.counts();
    assertEquals(counts.requests(), told[0]);
    assertEquals(counts.requests(), counts.mapped().requests());
    assertEquals(result, FiniteRun.of(drawn, kind, config), "a run can be made again");
  }
}
