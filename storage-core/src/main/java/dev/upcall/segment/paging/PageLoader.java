package dev.upcall.segment.paging;

import dev.upcall.buffer.PageImages;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.DamageLog;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.OnBehalf;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.tree.PageCache;
import dev.upcall.tree.PageLoad;
import dev.upcall.tree.PageRef;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Brings tree pages into the heap: from an image in memory, from the first copy, or from the
 * second, if there is one, when the first is damaged. Loads of one page share one read, and what a
 * load brings in over the page cache's budget is evicted soon after. Dispatcher's thread only.
 */
public final class PageLoader {
  private final DamageLog damage = new DamageLog();
  private final Dispatcher dispatcher;
  private final Disk disk;
  private final PageCache pages;
  private final PageImages images;
  private final Faults faults;
  private final Function<PageRef, String> losses;
  private final ArrayDeque<ByteBuffer> freeBuffers = new ArrayDeque<>();
  private final Map<Long, List<CompletionPort<Unit>>> loading = new LinkedHashMap<>();
  private long repaired;
  private boolean trimPosted;

  /**
   * Where pages are in memory.
   *
   * @param heap who has the budget
   * @param images of pages that have left the heap
   */
  public record Memory(PageCache heap, PageImages images) {}

  /**
   * A loader from a disk.
   *
   * @param faults in which ways it is broken on purpose
   * @param losses says what is lost with a page that has one copy
   */
  public PageLoader(
      Dispatcher dispatcher,
      Disk disk,
      Memory memory,
      Faults faults,
      Function<PageRef, String> losses) {
    this.losses = losses;
    this.dispatcher = dispatcher;
    this.disk = disk;
    this.pages = memory.heap();
    this.images = memory.images();
    this.faults = faults;
  }

  /**
   * Loads one page. Failures: {@code Corrupt} when no copy is whole, {@code Device}, {@code
   * Closed}.
   */
  public void load(PageRef page, CompletionPort<Unit> port) {
    if (page.isResident()) {
      dispatcher.complete(port, Completion.done());
      return;
    }
    List<CompletionPort<Unit>> waiting = loading.get(page.addressA());
    if (waiting != null) {
      waiting.add(dispatcher.recorder().waiting(port));
      return;
    }
    if (loadImage(page)) {
      dispatcher.complete(port, Completion.done());
      trimSoon();
      return;
    }
    waiting = new ArrayList<>(2);
    waiting.add(port);
    loading.put(page.addressA(), waiting);
    read(page, 0, null);
  }

  /**
   * Loads a page and, side by side, as many of others as stay until the last of them has come; then
   * completes, and the first page is there. Failures: those of {@link #load(PageRef,
   * CompletionPort)} for the first page; of another one that is found out by who needs it.
   *
   * @param needed the page, then the others
   */
  public void load(List<PageRef> needed, CompletionPort<Unit> port) {
    int most = Math.clamp(pages.pagesTogether() - loading.size(), 1, needed.size());
    PageRef first = needed.getFirst();
    if (most == 1) {
      load(first, port);
      return;
    }
    Together together = new Together(first, most, port);
    load(first, together);
    for (PageRef beside : needed.subList(1, most)) {
      load(beside, _ -> together.came());
    }
  }

  /** Waits for pages that are loaded side by side; hears itself of the first. */
  private final class Together implements CompletionPort<Unit>, OnBehalf {
    private final PageRef first;
    private final CompletionPort<Unit> port;
    private int coming;
    private Completion<Unit> loaded = Completion.done();

    Together(PageRef first, int coming, CompletionPort<Unit> port) {
      this.first = first;
      this.coming = coming;
      this.port = port;
    }

    @Override
    public Object whose() {
      return port;
    }

    @Override
    public void complete(Completion<Unit> completion) {
      loaded = completion;
      came();
    }

    private void came() {
      coming--;
      if (coming > 0) {
        return;
      }
      if (loaded instanceof Completion.Done<Unit> && !first.isResident()) {
        // Evicted again while others came: one that comes alone is there when its port hears.
        load(first, port);
      } else {
        port.complete(loaded);
      }
    }
  }

  /**
   * What is wrong with each copy of a page.
   *
   * @param first why the first is not the page, or null
   * @param second why the second is not, or null
   */
  public record Copies(@Nullable Failure first, @Nullable Failure second) {}

  /**
   * Loads a page with two copies if one is whole, and looks at both in any case. Never fails. For
   * few pages: it evicts none, so that this one is still there when the port hears.
   */
  public void loadBoth(PageRef page, CompletionPort<Copies> port) {
    long[] blocks = page.blocks();
    compare(
        page,
        blocks[0],
        first ->
            compare(
                page,
                blocks[1],
                second -> {
                  if (first != null && second == null) {
                    repaired++;
                  }
                  port.complete(Completion.done(new Copies(first, second)));
                }));
  }

  private void compare(PageRef page, long address, Consumer<@Nullable Failure> then) {
    ByteBuffer buffer = takeBuffer();
    disk.submit(
        new DiskRequest.Read(
            address,
            List.of(buffer),
            IoClass.FOREGROUND_READ,
            completion -> {
              Failure failure =
                  switch (completion) {
                    case Completion.Failed<Unit> failed -> failed.failure();
                    case Completion.Done<Unit> done -> {
                      PageLoad.Mismatch mismatch = page.compare(buffer);
                      yield mismatch != null
                          ? corrupt(disk.name(), address, mismatch)
                          : attach(page, address, buffer);
                    }
                  };
              freeBuffers.push(buffer);
              then.accept(failure);
            }));
  }

  /** How many pages were read from their second copy because the first was damaged. */
  public long secondCopyReads() {
    return repaired;
  }

  /** Brings the page cache back to its budget, in an upcall to come. */
  public void trimSoon() {
    if (!trimPosted && pages.isOverBudget()) {
      trimPosted = true;
      dispatcher.post(this::trim);
    }
  }

  private void trim() {
    trimPosted = false;
    pages.trim(PageCache.PAGES_PER_TRIM);
    trimSoon();
  }

  private boolean loadImage(PageRef page) {
    ByteBuffer buffer = takeBuffer();
    boolean loaded =
        images.copy(page.addressA(), buffer) && page.load(buffer) instanceof PageLoad.Attached;
    freeBuffers.push(buffer);
    return loaded;
  }

  private void read(PageRef page, int copy, @Nullable Failure first) {
    ByteBuffer buffer = takeBuffer();
    long address = page.blocks()[copy];
    disk.submit(
        new DiskRequest.Read(
            address,
            List.of(buffer),
            IoClass.FOREGROUND_READ,
            completion -> arrived(page, copy, first, buffer, completion)));
  }

  private ByteBuffer takeBuffer() {
    ByteBuffer pooled = freeBuffers.poll();
    return pooled != null ? pooled.clear() : Disk.newBuffer(Disk.BLOCK_BYTES);
  }

  private void arrived(
      PageRef page,
      int copy,
      @Nullable Failure first,
      ByteBuffer buffer,
      Completion<Unit> completion) {
    long address = page.blocks()[copy];
    Failure failure =
        switch (completion) {
          case Completion.Failed<Unit> failed -> failed.failure();
          case Completion.Done<Unit> done when first != null && page.hasOneCopy() ->
              attach(address, page.believe(buffer));
          case Completion.Done<Unit> done -> attach(page, address, buffer);
        };
    freeBuffers.push(buffer);
    if (failure == null) {
      if (first != null) {
        repaired++;
      }
      finish(page, Completion.done());
    } else if (first == null
        && copy + 1 < page.blocks().length
        && !faults.has(PageFault.SECOND_COPY_NOT_READ)) {
      read(page, copy + 1, failure);
    } else if (first == null
        && page.hasOneCopy()
        && faults.has(PageFault.ONLY_COPY_BELIEVED_TWICE)) {
      read(page, copy, failure);
    } else {
      finish(page, Completion.failed(first == null ? failure : first));
    }
  }

  private @Nullable Failure attach(PageRef page, long address, ByteBuffer buffer) {
    Failure failure = attach(address, page.load(buffer));
    if (failure == null) {
      images.keep(page.addressA(), buffer);
    }
    return failure;
  }

  private @Nullable Failure attach(long address, PageLoad loaded) {
    return switch (loaded) {
      case PageLoad.Attached attached -> null;
      case PageLoad.Mismatch mismatch -> corrupt(disk.name(), address, mismatch);
    };
  }

  /** What could not be read of the store. */
  public DamageLog damage() {
    return damage;
  }

  /** What a page is that does not hold what its pointer says. */
  public static Failure corrupt(String volume, long address, PageLoad.Mismatch mismatch) {
    return new Failure.Corrupt(
        volume,
        "metadata page (" + mismatch.what() + ")",
        address * Disk.BLOCK_BYTES,
        mismatch.expected(),
        mismatch.found());
  }

  /** Notes why a page cannot be loaded, and says what is lost with it. While nobody applies. */
  public Failure lost(PageRef page, Failure why) {
    Failure named =
        why instanceof Failure.Corrupt corrupt && page.hasOneCopy() ? named(page, corrupt) : why;
    damage.note(named, page.addressA() * Disk.BLOCK_BYTES);
    return named;
  }

  /** It is looked for in the tree once: clients may ask for it without end. */
  private Failure named(PageRef page, Failure.Corrupt corrupt) {
    if (damage.at(corrupt.offsetBytes()).orElse(null) instanceof Failure.Corrupt known) {
      return known;
    }
    return new Failure.Corrupt(
        corrupt.volume(),
        "%s with %s".formatted(corrupt.structure(), losses.apply(page)),
        corrupt.offsetBytes(),
        corrupt.expected(),
        corrupt.found());
  }

  private void finish(PageRef page, Completion<Unit> loaded) {
    Completion<Unit> completion =
        loaded instanceof Completion.Failed<Unit>(Failure why)
            ? Completion.failed(lost(page, why))
            : loaded;
    List<CompletionPort<Unit>> waiting = loading.remove(page.addressA());
    if (waiting != null) {
      for (CompletionPort<Unit> port : waiting) {
        port.complete(completion);
      }
    }
    trimSoon();
  }
}
