package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;

/** One page of a frozen tree on its way to disk: first {@link #assign}, later {@link #written}. */
public final class DirtyPage {
  private final LivePages pages;
  private final PageRef ref;
  private final Page page;
  private final long birth;

  private final boolean oneCopy;

  DirtyPage(LivePages pages, PageRef ref, Page page, long birth, boolean oneCopy) {
    this.oneCopy = oneCopy;
    this.pages = pages;
    this.ref = ref;
    this.page = page;
    this.birth = birth;
  }

  /** Whether the page gets one place, and no second one. */
  public boolean hasOneCopy() {
    return oneCopy;
  }

  /**
   * Gives the page its places and encodes it. If the live tree has replaced the page meanwhile, the
   * addresses are reported as replaced at once (to be freed after the checkpoint that is being
   * written).
   *
   * @param addressA block of the first copy, not 0
   * @param addressB block of the second copy; 0 if {@link #hasOneCopy}
   * @param to receives one page of bytes from its position on, which moves behind them; must stay
   *     untouched until all writes have completed
   */
  public void assign(long addressA, long addressB, ByteBuffer to) {
    Invariants.check(oneCopy == (addressB == PageRef.ONE_COPY), "copies of a page", addressB);
    int crc = PageCodec.encode(page, pages.home(), birth, to);
    ref.assign(addressA, addressB, crc, birth);
    pages.assigned(ref);
  }

  /** All copies are on the disk as far as a read can tell: the page may be evicted from now on. */
  public void written() {
    ref.written();
  }
}
