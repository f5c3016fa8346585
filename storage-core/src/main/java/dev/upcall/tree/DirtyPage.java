package dev.upcall.tree;

import java.nio.ByteBuffer;

/** One page of a frozen tree on its way to disk: first {@link #assign}, later {@link #written}. */
public final class DirtyPage {
  private final LivePages pages;
  private final PageRef ref;
  private final Page page;
  private final long birth;

  DirtyPage(LivePages pages, PageRef ref, Page page, long birth) {
    this.pages = pages;
    this.ref = ref;
    this.page = page;
    this.birth = birth;
  }

  /**
   * Gives the page its two places and encodes it. If the live tree has replaced the page meanwhile,
   * the addresses are reported as replaced at once (to be freed after the checkpoint that is being
   * written).
   *
   * @param addressA block of the first copy, not 0
   * @param addressB block of the second copy, not 0
   * @param to receives one page of bytes from its position on, which moves behind them; must stay
   *     untouched until both writes have completed
   */
  public void assign(long addressA, long addressB, ByteBuffer to) {
    int crc = PageCodec.encode(page, pages.home(), birth, to);
    ref.assign(addressA, addressB, crc, birth);
    pages.assigned(ref);
  }

  /** Both copies are on the disk as far as a read can tell: the page may be evicted from now on. */
  public void written() {
    ref.written();
  }
}
