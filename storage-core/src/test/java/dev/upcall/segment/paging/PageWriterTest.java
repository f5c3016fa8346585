package dev.upcall.segment.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.ManualClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.fsm.ManualReactor;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskCounters;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.space.Extent;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeConfig;
import dev.upcall.tree.TreePages;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What one upcall of a checkpoint's pages may cost, counted. */
class PageWriterTest {
  private static final int KEYS = 6000;
  private static final int FAN_OUT = 8;

  /** One upcall a turn. */
  private static final DispatcherConfig ONE_BY_ONE =
      new DispatcherConfig("one by one", 1, 1, 1, 1, 1000, 1000, 0, 0, WaitConfig.defaults());

  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock), ONE_BY_ONE);
  private final SlowDisk disk = new SlowDisk();
  private IoClass ioClass = IoClass.FOREGROUND_WRITE;

  /** Completes nothing by itself. */
  private final class SlowDisk implements Disk {
    private final ArrayDeque<CompletionPort<Unit>> inFlight = new ArrayDeque<>();
    private final Set<Long> buffers = new HashSet<>();
    private final List<Integer> sizes = new ArrayList<>();

    @Override
    public void submit(DiskRequest request) {
      if (!(request instanceof DiskRequest.Write write)) {
        throw new IllegalStateException("only pages are written, not " + request);
      }
      ByteBuffer from = write.from().getFirst();
      sizes.add(from.remaining());
      buffers.add(MemorySegment.ofBuffer(from).address());
      inFlight.addLast(write.port());
    }

    void complete(int count) {
      for (int i = 0; i < count && !inFlight.isEmpty(); i++) {
        dispatcher.complete(inFlight.removeFirst(), Completion.done());
      }
    }

    @Override
    public long sizeBlocks() {
      return 1 << 20;
    }

    @Override
    public String name() {
      return "slow disk";
    }

    @Override
    public DiskCounters counters() {
      return new DiskCounters(inFlight.size(), 0, List.of());
    }

    @Override
    public void close(CompletionPort<Unit> port) {
      dispatcher.complete(port, Completion.done());
    }
  }

  private static Frozen manyPages() {
    TreePages anywhere =
        new TreePages() {
          @Override
          public void added() {}

          @Override
          public void resident(PageRef page) {}

          @Override
          public void replaced(PageRef page) {}
        };
    Tree tree = new Tree(TreeConfig.ofFanOut(7, FAN_OUT), 3, null, anywhere);
    for (int i = 0; i < KEYS; i++) {
      byte[] key = ByteBuffer.allocate(4).putInt(i).array();
      tree.prepare(key);
      tree.put(key, key);
    }
    return tree.freeze(1);
  }

  private List<Completion<Unit>> write(Frozen frozen, PageBuffers buffers) {
    long pages = frozen.dirtyPages();
    List<Completion<Unit>> told = new ArrayList<>();
    PageWriter.write(
        new PageWriter.Way(dispatcher, disk, () -> ioClass, buffers, () -> {}),
        frozen,
        PageWriter.Places.halves(List.of(new Extent(1000, 2 * pages)), (int) pages),
        told::add);
    return told;
  }

  @Test
  void aTurnWritesOneRunAndNoMoreMemoryIsTakenThanIsInFlight() {
    PageBuffers buffers = new PageBuffers();
    Frozen frozen = manyPages();
    long pages = frozen.dirtyPages();
    assertTrue(pages > 4 * PageWriter.RUNS_IN_FLIGHT * PageWriter.PAGES_PER_WRITE, "pages");
    List<Completion<Unit>> told = write(frozen, buffers);
    while (told.isEmpty()) {
      int before = disk.sizes.size();
      int ran = dispatcher.turn(false);
      assertTrue(ran <= 2, "what has arrived, and one piece");
      assertTrue(disk.sizes.size() - before <= 2, "a run, to its two places");
      assertTrue(disk.inFlight.size() <= 2 * PageWriter.RUNS_IN_FLIGHT, "in flight");
      if (ran == 0) {
        disk.complete(3);
      }
    }
    assertEquals(List.of(Completion.done()), told);
    assertEquals(
        2 * pages * Disk.BLOCK_BYTES, disk.sizes.stream().mapToLong(Integer::longValue).sum());
    assertTrue(
        disk.sizes.stream().allMatch(s -> s <= PageWriter.PAGES_PER_WRITE * Disk.BLOCK_BYTES));
    assertEquals(PageWriter.RUNS_IN_FLIGHT, disk.buffers.size(), "buffers of all runs");

    List<Completion<Unit>> again = write(manyPages(), buffers);
    while (again.isEmpty()) {
      if (dispatcher.turn(false) == 0) {
        disk.complete(Integer.MAX_VALUE);
      }
    }
    assertEquals(PageWriter.RUNS_IN_FLIGHT, disk.buffers.size(), "the next tree's, too");
  }

  @Test
  void writesOneRunAtATimeUntilSomebodyWaitsForRoom() {
    ioClass = IoClass.BACKGROUND;
    List<Completion<Unit>> told = write(manyPages(), new PageBuffers());
    for (int run = 1; run <= 3; run++) {
      runAllThatMay();
      assertEquals(2, disk.inFlight.size(), "a run, to its two places");
      disk.complete(2);
    }
    ioClass = IoClass.FOREGROUND_WRITE;
    runAllThatMay();
    assertEquals(2 * PageWriter.RUNS_IN_FLIGHT, disk.inFlight.size(), "all that may be in flight");
    while (told.isEmpty()) {
      disk.complete(Integer.MAX_VALUE);
      runAllThatMay();
    }
    assertEquals(List.of(Completion.done()), told);
  }

  private void runAllThatMay() {
    while (dispatcher.turn(false) > 0) {}
  }
}
