package dev.upcall.segment;

/** Breaks page loaders of other packages' tests on purpose. */
public final class BrokenPages {
  private BrokenPages() {}

  /** From now on a page whose first copy is damaged is lost. */
  public static void readNoSecondCopy(PageLoader loader) {
    loader.breakSecondCopies();
  }
}
