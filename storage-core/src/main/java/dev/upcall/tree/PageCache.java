package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the clean pages of all trees in what dirty ones leave of a budget of heap bytes, a quarter
 * at least, by the CLOCK algorithm. Dirty pages are never evicted; those that only a checkpoint
 * under way still needs are not counted. {@link #trim} evicts; the engine calls it between upcalls,
 * never inside one.
 *
 * <p>A page stays for a while after its last use, counted in pages that came in since. So whoever
 * needs several pages together, and looks again from the start each time one has come, finds those
 * that it has just used, however small the budget is and whoever else is looking: the budget is
 * passed rather than kept at the price of an endless loop.
 */
public final class PageCache implements TreePages {
  /** Receives the addresses of pages that a tree does not need any more. */
  @FunctionalInterface
  public interface Replaced {
    /** See {@link TreePages#replaced}. */
    void replaced(PageRef page);
  }

  /** So many pages are looked at to be evicted, before others have a turn. */
  public static final int PAGES_PER_TRIM = 256;

  private static final int STEPS_PER_PAGE = 4;
  private static final int MIN_AGE_PAGES = 8;
  private static final int MAX_AGE_PAGES = 256;
  private static final int BYTES_PER_PAGE_OF_AGE = 2 * 4096;

  /** The part of the budget that dirty pages leave to clean ones. */
  private static final int LEAST_CLEAN_PART = 4;

  private final long budgetBytes;
  private final LongSupplier dirtyBytes;
  private final LongFunction<byte @Nullable []> images;
  private final int minAge;
  private final Replaced replaced;
  private final List<PageRef> ring = new ArrayList<>();

  /** Heap bytes of each, as counted last. */
  private int[] sizes = new int[64];

  private int hand;
  private long bytes;
  private long steps;
  private int arrivals;
  private long evictions;

  /** Of trees whose dirty pages have other memory. */
  public PageCache(long budgetBytes, Replaced replaced) {
    this(budgetBytes, () -> 0, block -> null, replaced);
  }

  /**
   * Makes a cache.
   *
   * @param budgetBytes heap bytes for pages
   * @param dirtyBytes what dirty pages take at the time
   * @param images as {@link TreePages#imageElsewhere}
   * @param replaced where the trees' replaced pages go
   */
  public PageCache(
      long budgetBytes,
      LongSupplier dirtyBytes,
      LongFunction<byte @Nullable []> images,
      Replaced replaced) {
    Invariants.check(budgetBytes >= 0, "page budget", budgetBytes);
    this.budgetBytes = budgetBytes;
    this.dirtyBytes = dirtyBytes;
    this.images = images;
    this.minAge = Math.clamp(budgetBytes / BYTES_PER_PAGE_OF_AGE, MIN_AGE_PAGES, MAX_AGE_PAGES);
    this.replaced = replaced;
  }

  /** The same cache for a tree whose replaced pages go elsewhere, such as a fork. */
  public TreePages withReplaced(Replaced elsewhere) {
    PageCache cache = this;
    return new TreePages() {
      @Override
      public void added() {
        cache.added();
      }

      @Override
      public void resident(PageRef page) {
        cache.resident(page);
      }

      @Override
      public void replaced(PageRef page) {
        elsewhere.replaced(page);
      }

      @Override
      public byte @Nullable [] imageElsewhere(long block) {
        return cache.imageElsewhere(block);
      }
    };
  }

  @Override
  public void added() {
    arrivals++;
    takeSteps();
  }

  @Override
  public void resident(PageRef page) {
    if (ring.size() == sizes.length) {
      sizes = Arrays.copyOf(sizes, 2 * sizes.length);
    }
    sizes[ring.size()] = 0;
    ring.add(page);
    count(ring.size() - 1, page.resident());
    takeSteps();
    page.seenInUse(++arrivals);
  }

  @Override
  public void replaced(PageRef page) {
    replaced.replaced(page);
  }

  @Override
  public byte @Nullable [] imageElsewhere(long block) {
    return images.apply(block);
  }

  private void takeSteps() {
    steps = bytes > cleanBytes() ? steps + STEPS_PER_PAGE : 0;
  }

  /** The memory that clean pages may take now. */
  private long cleanBytes() {
    return Math.max(budgetBytes / LEAST_CLEAN_PART, budgetBytes - dirtyBytes.getAsLong());
  }

  /** Whether {@link #trim} would try to evict something. */
  public boolean isOverBudget() {
    return steps > 0 && bytes > cleanBytes();
  }

  /**
   * Evicts clean pages that are over the budget and not in use. Between upcalls only. Looks at no
   * more than so many pages: when a checkpoint has made thousands clean at once there is much to
   * evict. Worth calling again while {@link #isOverBudget}.
   */
  public void trim(int mostPages) {
    long cleanBytes = cleanBytes();
    for (int looked = 0;
        looked < mostPages && bytes > cleanBytes && steps > 0 && !ring.isEmpty();
        looked++) {
      steps--;
      if (hand >= ring.size()) {
        hand = 0;
      }
      PageRef ref = ring.get(hand);
      Page page = ref.pageIfResident();
      if (page != null && page.level() > 0) {
        page.forgetChildren(this::mayGo);
        count(hand, page);
      }
      if (!mayGo(ref)) {
        hand++;
        continue;
      }
      if (!ref.evict()) {
        hand++;
        continue;
      }
      bytes -= sizes[hand];
      evictions++;
      sizes[hand] = sizes[ring.size() - 1];
      ring.set(hand, ring.getLast());
      ring.removeLast();
    }
    if (bytes <= cleanBytes || ring.isEmpty()) {
      steps = 0;
    }
  }

  private void count(int place, Page page) {
    int size = page.heapBytes();
    bytes += size - sizes[place];
    sizes[place] = size;
  }

  private boolean mayGo(PageRef ref) {
    if (ref.isStale()) {
      return true;
    }
    if (ref.takeTouched()) {
      ref.seenInUse(arrivals);
      return false;
    }
    return arrivals - ref.lastSeenInUse() >= minAge;
  }

  /**
   * How many pages may come in together: the first of them stays until the last has come, and all
   * can be used then.
   */
  public int pagesTogether() {
    return minAge;
  }

  /** Heap bytes for pages. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Heap bytes of the clean pages in memory. */
  public long residentBytes() {
    return bytes;
  }

  /** How many pages were evicted so far. */
  public long evictions() {
    return evictions;
  }
}
