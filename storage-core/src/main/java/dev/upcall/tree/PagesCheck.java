package dev.upcall.tree;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies all pages of a tree from its root: every copy of each, identity, levels, and that no
 * block belongs to it twice; what is in them is the subclass's. Needs nothing resident: it says
 * which block it wants, and whoever drives it reads that block in its own way.
 *
 * <pre>{@code
 * for (long block = check.nextBlock(); block >= 0; block = check.nextBlock()) {
 *   check.accept(read(block));
 * }
 * check.problems();
 * }</pre>
 *
 * @param <R> what a pointer says of the entries of its page
 */
public abstract sealed class PagesCheck<R> permits TreeCheck, PositionCheck {
  /** No block is wanted any more. */
  public static final long END = -1;

  private static final int MAX_PROBLEMS = 100;

  /** Whose the blocks are. */
  public interface Claims {
    /**
     * A block belongs to the tree.
     *
     * @return false if it is known to belong to something else already
     */
    boolean claim(long block);

    /** Whether leaves below the root may have one copy. */
    default boolean leavesOnce() {
      return false;
    }
  }

  /**
   * Something that is not as it should be.
   *
   * @param block where
   * @param what in words
   */
  public record Problem(long block, String what) {}

  /** Something to do, in the order of the pages. */
  private sealed interface Task<R> {
    /** A page to look at. */
    record Enter<R>(PageRef ref, R range) implements Task<R> {}

    /** A page that was looked at, and so was what lies below it. */
    record Leave<R>(PageRef ref) implements Task<R> {}
  }

  private final TreeHome home;
  private final Claims claims;
  private final List<Task<R>> tasks = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private byte @Nullable [] image;
  private int copy;
  private long problemCount;
  private long pages;

  PagesCheck(TreeConfig config, int treeId, boolean byPosition, Claims claims) {
    this.home = new TreeHome(config, treeId, IgnoredPages.IGNORED, byPosition);
    this.claims = claims;
  }

  /** Whether to go into a page; asked once, when its turn has come. */
  abstract boolean isWanted(PageRef ref, R range);

  /** A page that was wanted, and all below it, has been looked at. */
  abstract void left(PageRef ref);

  /** A page that is sound by itself. */
  abstract void check(PageRef ref, R range, Page page);

  /** A page is lost, and what lies below it: what that means, in words. */
  String lost(R range) {
    return "all below it is lost";
  }

  /** The check begins there. */
  final void begin(PageRef root, R range) {
    if (root.hasOneCopy()) {
      problem(root, "a root has one copy");
    }
    tasks.add(new Task.Enter<>(root, range));
    findNext();
  }

  /** A page below another one is to be looked at, before all that were added earlier. */
  final void add(PageRef parent, PageRef child, R range) {
    if (child.hasOneCopy() && !claims.leavesOnce()) {
      problem(parent, "a leaf has one copy, which the volume does not say");
    }
    if (child.birth() > parent.birth()) {
      problem(parent, "child is younger than its parent");
    }
    tasks.add(new Task.Enter<>(child, range));
  }

  /** Up to the next page that is wanted. */
  private void findNext() {
    while (!tasks.isEmpty()) {
      switch (tasks.getLast()) {
        case Task.Leave<R>(PageRef ref) -> left(ref);
        case Task.Enter<R>(PageRef ref, R range) when isWanted(ref, range) -> {
          return;
        }
        case Task.Enter<R> _ -> {}
      }
      tasks.removeLast();
    }
  }

  private Task.Enter<R> wanted() {
    if (tasks.getLast() instanceof Task.Enter<R> page) {
      return page;
    }
    throw new IllegalStateException("no page is wanted");
  }

  /** Which block to give to {@link #accept} next, or {@link #END}. */
  public final long nextBlock() {
    if (tasks.isEmpty()) {
      return END;
    }
    return wanted().ref().blocks()[copy];
  }

  /** Takes the content of the wanted block, from its position on. */
  public final void accept(ByteBuffer block) {
    PageRef ref = wanted().ref();
    byte[] found = new byte[home.config().pageBytes()];
    block.get(block.position(), found);
    PageLoad.Mismatch mismatch = PageCodec.verify(found, ref, home);
    if (mismatch != null) {
      problem(
          nextBlock(),
          "%s: %x expected, %x found"
              .formatted(mismatch.what(), mismatch.expected(), mismatch.found()));
      found = null;
    }
    advance(found);
  }

  /** The wanted block could not be read. */
  public final void acceptUnreadable(String why) {
    problem(nextBlock(), why);
    advance(null);
  }

  private void advance(byte @Nullable [] found) {
    Task.Enter<R> task = wanted();
    if (!claims.claim(nextBlock())) {
      problem(nextBlock(), "block belongs to two pages");
    }
    image = image != null ? image : found;
    if (++copy < task.ref().blocks().length) {
      return;
    }
    copy = 0;
    R range = task.range();
    tasks.set(tasks.size() - 1, new Task.Leave<>(task.ref()));
    byte[] good = image;
    image = null;
    if (good == null) {
      problem(task.ref(), "no copy of the page is good; " + lost(range));
    } else {
      pages++;
      check(task.ref(), range, PageCodec.decode(good, home));
    }
    findNext();
  }

  /** Something is wrong in a page. */
  final void problem(PageRef page, String what) {
    problem(page.addressA(), what);
  }

  private void problem(long block, String what) {
    problemCount++;
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(new Problem(block, "tree " + home.treeId() + ": " + what));
    }
  }

  /** What is wrong, the first hundred. */
  public final List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** How much is wrong. */
  final long problemCount() {
    return problemCount;
  }

  /** Sound pages seen so far. */
  final long pages() {
    return pages;
  }

  /** Nobody keeps what a check looks at. */
  private enum IgnoredPages implements TreePages {
    IGNORED;

    @Override
    public void added() {}

    @Override
    public void resident(PageRef page) {}

    @Override
    public void replaced(PageRef page) {}
  }
}
