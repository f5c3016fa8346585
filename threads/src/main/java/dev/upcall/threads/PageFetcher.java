package dev.upcall.threads;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.locks.LockOrder;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageLoad;
import dev.upcall.tree.PageRef;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Brings tree pages into memory on the thread that needs them, from the first copy or else from the
 * second, if there is one; whoever needs the same page meanwhile waits for that thread.
 */
final class PageFetcher {
  private final BlockDevice device;
  private final StateLocks locks;
  private final PageCache pages;
  private final PageLoader loader;
  private final ConcurrentHashMap<Long, CompletableFuture<Completion<Unit>>> loading =
      new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();

  PageFetcher(BlockDevice device, StateLocks locks, PageCache pages, PageLoader loader) {
    this.loader = loader;
    this.device = device;
    this.locks = locks;
    this.pages = pages;
  }

  /**
   * Loads a page; look again afterwards. Why it cannot be, or null: {@code Corrupt} when no copy is
   * whole, {@code Device}. The caller holds no lock.
   */
  @Nullable Failure fetch(PageRef page) {
    CompletableFuture<Completion<Unit>> mine = new CompletableFuture<>();
    CompletableFuture<Completion<Unit>> other = loading.putIfAbsent(page.addressA(), mine);
    if (other != null) {
      return failureOf(other.join());
    }
    Completion<Unit> result =
        Completion.failed(new Failure.Device("reading a page", "the reading thread failed"));
    try {
      assert LockOrder.holdsNone();
      result = load(page);
      if (result instanceof Completion.Failed<Unit>(Failure why)) {
        result = Completion.failed(lost(page, why));
      }
    } finally {
      loading.remove(page.addressA());
      mine.complete(result);
    }
    trim();
    return failureOf(result);
  }

  /**
   * Loads a page, and then as many of others as stay together, so that it is looked again once for
   * all of them. As {@link #fetch(PageRef)} of the first; of another one that cannot be loaded it
   * is found out by who needs it.
   */
  @Nullable Failure fetch(List<PageRef> needed) {
    Failure why = fetch(needed.getFirst());
    int most = why == null ? Math.min(pages.pagesTogether(), needed.size()) : 1;
    for (PageRef beside : needed.subList(1, most)) {
      fetch(beside);
    }
    return why;
  }

  private Failure lost(PageRef page, Failure why) {
    long stamp = locks.state().read();
    try {
      return loader.lost(page, why);
    } finally {
      locks.state().endRead(stamp);
    }
  }

  private Completion<Unit> load(PageRef page) {
    long[] blocks = page.blocks();
    Completion<Unit> first = load(page, blocks[0]);
    if (first instanceof Completion.Done<Unit> || blocks.length == 1) {
      return first;
    }
    Completion<Unit> second = load(page, blocks[1]);
    return second instanceof Completion.Done<Unit> ? second : first;
  }

  private Completion<Unit> load(PageRef page, long address) {
    ByteBuffer pooled = buffers.poll();
    ByteBuffer buffer = pooled != null ? pooled.clear() : Disk.newBuffer(Disk.BLOCK_BYTES);
    Completion<Unit> read =
        device.perform(
            new DiskRequest.Read(address, List.of(buffer), IoClass.FOREGROUND_READ, ignored -> {}));
    Completion<Unit> result =
        read instanceof Completion.Failed<Unit> ? read : attach(page, address, buffer);
    buffers.add(buffer);
    return result;
  }

  private Completion<Unit> attach(PageRef page, long address, ByteBuffer buffer) {
    PageLoad attached;
    long stamp = locks.state().write();
    try {
      attached = page.load(buffer);
    } finally {
      locks.state().endWrite(stamp);
    }
    return switch (attached) {
      case PageLoad.Attached _ -> Completion.done();
      case PageLoad.Mismatch mismatch ->
          Completion.failed(PageLoader.corrupt(device.name(), address, mismatch));
    };
  }

  /**
   * Brings the cache nearer to its budget, a piece with each page that comes in and each change,
   * because everybody waits meanwhile: never between a change's plan and its application. The
   * caller holds no lock.
   */
  void trim() {
    long stamp = locks.state().read();
    boolean over = pages.isOverBudget();
    locks.state().endRead(stamp);
    if (over) {
      locks.changes().lock();
      stamp = locks.state().write();
      try {
        pages.trim(PageCache.PAGES_PER_TRIM);
      } finally {
        locks.state().endWrite(stamp);
        locks.changes().unlock();
      }
    }
  }

  private static @Nullable Failure failureOf(Completion<Unit> completion) {
    return completion instanceof Completion.Failed<Unit> failed ? failed.failure() : null;
  }
}
