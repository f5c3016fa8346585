package dev.upcall.bench.ecommerce.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.ecommerce.Table;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.io.DiskOperation;
import dev.upcall.io.trace.TraceEntry;
import dev.upcall.io.trace.TracedDisk;
import dev.upcall.sim.EvenTime;
import dev.upcall.sim.SimClock;
import dev.upcall.sim.SimReactor;
import dev.upcall.sim.TimedDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which requests the memory makes, one page at a time. */
class PageCacheTest {
  private static final int PAGES = 32;

  private final SimClock clock = new SimClock();
  private final SimReactor reactor = new SimReactor(clock);
  private final Dispatcher dispatcher =
      new Dispatcher(clock, reactor, DispatcherConfig.defaults().withRecordsKept(0));
  private final List<TraceEntry> trace = new ArrayList<>();
  private final Table table =
      Workload.Kind.TPC_C.load(Workload.Kind.TPC_C.mixes().getFirst(), 1.0 / 256).tables().get(1);

  private PageIo io() {
    dispatcher.adopt();
    TimedDisk disk =
        new TimedDisk(
            "device",
            table.endPage(),
            dispatcher,
            new EvenTime(1_000, 1_000).start(reactor, clock, new SplittableRandom(1)));
    return new PageIo(new TracedDisk(disk, dispatcher, trace::add));
  }

  private PageCache cache(int readAhead) {
    PageCache.Config config =
        new PageCache.Config(
            PAGES, readAhead, TimeUnit.SECONDS.toNanos(3), TimeUnit.SECONDS.toNanos(1));
    return new PageCache(config, io(), dispatcher, table.endPage());
  }

  private void run(long nanos) {
    boolean[] over = {false};
    reactor.after(nanos, () -> over[0] = true);
    while (!over[0]) {
      dispatcher.turn(/* mayWait= */ true);
    }
  }

  private boolean read(PageCache cache, long page, Reader reader) {
    boolean[] arrived = {false};
    boolean present = cache.read(page, table, reader, () -> arrived[0] = true);
    run(100_000);
    assertTrue(present || arrived[0], "page " + page + " has come");
    return present;
  }

  @Test
  void theLeastRecentlyUsedGoesFirst() {
    PageCache cache = cache(0);
    Reader reader = new Reader(1);
    long first = table.firstPage();
    for (int i = 0; i < PAGES; i++) {
      assertFalse(read(cache, first + 2 * i, reader));
    }
    assertTrue(read(cache, first, reader), "all fit");
    assertFalse(read(cache, first + 2 * PAGES, reader), "one more");
    assertTrue(read(cache, first, reader), "used just now");
    assertFalse(read(cache, first + 2, reader), "used longest ago");
  }

  @Test
  void twoWhoWantOnePageReadItOnce() {
    PageCache cache = cache(0);
    int[] arrived = {0};
    for (int asker = 1; asker <= 2; asker++) {
      assertFalse(cache.read(table.firstPage(), table, new Reader(asker), () -> arrived[0]++));
    }
    run(100_000);
    assertEquals(2, arrived[0]);
    assertEquals(1, trace.size());
  }

  @Test
  void whoReadsInOrderGetsMoreAtATime() {
    PageCache cache = cache(4);
    Reader reader = new Reader(1);
    for (int i = 0; i < 13; i++) {
      read(cache, table.firstPage() + i, reader);
    }
    List<Long> sizes = trace.stream().map(entry -> entry.run().blocks()).toList();
    assertEquals(1L, sizes.getFirst(), "nobody knows yet");
    assertTrue(
        sizes.subList(1, sizes.size()).stream().allMatch(blocks -> blocks == 4), sizes::toString);
    assertTrue(sizes.size() <= 6, sizes::toString);
  }

  @Test
  void changedPagesAreWrittenWhenTheyAreOld() {
    PageCache cache = cache(0);
    Reader reader = new Reader(1);
    long first = table.firstPage();
    for (long page : List.of(first + 9, first, first + 5)) {
      read(cache, page, reader);
      cache.change(page);
    }
    assertEquals(3, cache.changedPages());
    run(TimeUnit.SECONDS.toNanos(2));
    assertEquals(List.of(), written(), "not old yet");
    run(TimeUnit.SECONDS.toNanos(3));
    assertEquals(List.of(first, first + 5, first + 9), written(), "in the order of the volume");
    assertEquals(0, cache.changedPages());
    assertTrue(read(cache, first, reader), "and stay in memory");
  }

  @Test
  void aChangedPageIsWrittenBeforeItsFrameIsTaken() {
    PageCache cache = cache(0);
    Reader reader = new Reader(1);
    long first = table.firstPage();
    for (int i = 0; i < PAGES; i++) {
      read(cache, first + 2 * i, reader);
      cache.change(first + 2 * i);
    }
    assertEquals(List.of(), written());
    assertFalse(read(cache, first + 2 * PAGES, reader));
    assertFalse(written().isEmpty(), "the oldest were written");
    assertEquals(first, written().getFirst());
  }

  private List<Long> written() {
    return trace.stream()
        .filter(entry -> entry.operation() == DiskOperation.WRITE)
        .map(entry -> entry.run().block())
        .toList();
  }

  @Test
  void theLogWritesGroupsOfABoundedSize() {
    PageIo io = io();
    CommitLog log = new CommitLog(Journal.NONE, io, dispatcher, 0);
    int[] durable = {0};
    for (int i = 0; i < 5_000; i++) {
      log.commit(1_000, () -> durable[0]++);
    }
    run(TimeUnit.SECONDS.toNanos(1));
    assertEquals(5_000, durable[0]);
    assertTrue(trace.size() > 70, trace.size() + " writes");
    assertTrue(trace.stream().allMatch(entry -> entry.run().blocks() <= 17), trace::toString);
  }
}
