package dev.upcall.tree;

/** Verifies a whole tree by position: besides its pages, that they are as long as pointers say. */
public final class PositionCheck extends PagesCheck<PositionCheck.Range> {
  /** What the check tells about what it found sound. */
  public interface Visitor extends PagesCheck.Claims {
    /**
     * Whether to go into a page. One that is left out is not read, nor what lies below.
     *
     * @param behind the first position behind it
     */
    boolean wants(PageRef page, long behind);

    /** A run, in the order of positions. */
    void run(long position, long length, long number);

    /** All runs were told: no page was left out, or is lost. */
    void end(long runs);
  }

  /**
   * Positions of a page.
   *
   * @param from the first
   * @param length how many
   */
  record Range(long from, long length) {}

  private final Visitor visitor;
  private long positionsLeft;
  private long runs;

  /** Begins; {@code root} has a page. */
  public PositionCheck(TreeConfig config, int treeId, PageRef root, long length, Visitor visitor) {
    super(config, treeId, /* byPosition= */ true, visitor);
    this.visitor = visitor;
    this.positionsLeft = length;
    begin(root, new Range(0, length));
  }

  @Override
  boolean isWanted(PageRef ref, Range range) {
    return visitor.wants(ref, range.from() + range.length());
  }

  @Override
  void left(PageRef ref) {}

  @Override
  void check(PageRef ref, Range range, Page page) {
    if (page.count() == 0 || page.number(page.count() - 1) >= range.length()) {
      problem(ref, "%d positions are too few for what is in it".formatted(range.length()));
      return;
    }
    boolean isLeaf = page.level() == 0;
    for (int turn = 0; turn < page.count(); turn++) {
      // What is added last is looked at first.
      int i = isLeaf ? turn : page.count() - 1 - turn;
      long end = i + 1 < page.count() ? page.number(i + 1) : range.length();
      long from = range.from() + page.number(i);
      long length = end - page.number(i);
      if (isLeaf) {
        runs++;
        visitor.run(from, length, page.numberValue(i));
      } else {
        add(ref, page.child(i), new Range(from, length));
      }
    }
    positionsLeft -= isLeaf ? range.length() : 0;
    if (isLeaf && positionsLeft == 0) {
      visitor.end(runs);
    }
  }
}
