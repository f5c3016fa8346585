package dev.upcall.tree;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a whole tree from its root: both copies of every page, identity, order, key ranges,
 * levels, and that no block belongs to it twice. Needs nothing resident: it says which block it
 * wants, and whoever drives it reads that block in its own way.
 *
 * <pre>{@code
 * for (long block = check.nextBlock(); block >= 0; block = check.nextBlock()) {
 *   check.accept(read(block));
 * }
 * check.problems();
 * }</pre>
 */
public final class TreeCheck {
  /** No block is wanted any more. */
  public static final long END = -1;

  private static final int MAX_PROBLEMS = 100;

  /** What the check tells about what it found sound. */
  public interface Visitor {
    /**
     * A block belongs to the tree.
     *
     * @return false if it is known to belong to something else already
     */
    boolean claim(long block);

    /**
     * Whether to go into a page. One that is left out is not read, and neither is what lies below.
     *
     * @param high every key of the page is below it; null on the right edge
     */
    default boolean wants(PageRef page, byte @Nullable [] high) {
      return true;
    }

    /** An entry, in ascending order. */
    default void entry(byte[] key, byte[] value) {}
  }

  /**
   * Something that is not as it should be.
   *
   * @param block where
   * @param what in words
   */
  public record Problem(long block, String what) {}

  /**
   * A page to look at.
   *
   * @param ref its pointer
   * @param low no key is below it
   * @param high every key is below it; null on the right edge
   */
  private record Task(PageRef ref, byte[] low, byte @Nullable [] high) {}

  private final TreeHome home;
  private final Visitor visitor;
  private final List<Task> tasks = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();
  private byte @Nullable [] image;
  private boolean secondCopy;
  private byte @Nullable [] lastKey;
  private long problemCount;
  private long pages;
  private long entries;

  /**
   * Begins.
   *
   * @param config the volume's geometry
   * @param treeId the tree that is expected
   * @param root where it begins, or null for the empty tree
   * @param visitor is told what is found
   */
  public TreeCheck(TreeConfig config, int treeId, @Nullable PageRef root, Visitor visitor) {
    this.visitor = visitor;
    home = new TreeHome(config, treeId, IgnoredPages.IGNORED);
    if (root != null && visitor.wants(root, null)) {
      tasks.add(new Task(root, PageSplit.LOWEST_KEY, null));
    }
  }

  /** Which block to give to {@link #accept} next, or {@link #END}. */
  public long nextBlock() {
    if (tasks.isEmpty()) {
      return END;
    }
    PageRef ref = tasks.getLast().ref();
    return secondCopy ? ref.addressB() : ref.addressA();
  }

  /** Takes the content of the wanted block, from its position on. */
  public void accept(ByteBuffer block) {
    PageRef ref = tasks.getLast().ref();
    byte[] copy = new byte[home.config().pageBytes()];
    block.get(block.position(), copy);
    PageLoad.Mismatch mismatch = PageCodec.verify(copy, ref, home);
    if (mismatch != null) {
      problem(
          nextBlock(),
          "%s: %x expected, %x found"
              .formatted(mismatch.what(), mismatch.expected(), mismatch.found()));
      copy = null;
    }
    advance(copy);
  }

  /** The wanted block could not be read. */
  public void acceptUnreadable(String why) {
    problem(nextBlock(), why);
    advance(null);
  }

  private void advance(byte @Nullable [] copy) {
    Task task = tasks.getLast();
    if (!visitor.claim(nextBlock())) {
      problem(nextBlock(), "block belongs to two pages");
    }
    if (!secondCopy) {
      secondCopy = true;
      image = copy;
      return;
    }
    secondCopy = false;
    tasks.removeLast();
    byte[] good = image != null ? image : copy;
    image = null;
    if (good == null) {
      problem(task.ref().addressA(), "no copy of the page is good; all below it is lost");
      return;
    }
    pages++;
    Page page = PageCodec.decode(good, home);
    if (page.level() == 0) {
      checkLeaf(task, page);
    } else {
      checkInner(task, page);
    }
  }

  private void checkLeaf(Task task, Page page) {
    for (int i = 0; i < page.count(); i++) {
      byte[] key = page.key(i);
      checkRange(task, key);
      if (lastKey != null && Arrays.compareUnsigned(lastKey, key) >= 0) {
        problem(task.ref().addressA(), "keys do not ascend over pages");
      }
      lastKey = key;
      entries++;
      visitor.entry(key, page.value(i));
    }
  }

  private void checkInner(Task task, Page page) {
    if (!Arrays.equals(page.key(0), task.low())) {
      problem(task.ref().addressA(), "low key is not that of the pointer");
    }
    for (int i = page.count() - 1; i >= 0; i--) {
      byte[] low = page.key(i);
      checkRange(task, low);
      byte[] high = i + 1 < page.count() ? page.key(i + 1) : task.high();
      PageRef child = page.child(i);
      if (child.birth() > task.ref().birth()) {
        problem(task.ref().addressA(), "child is younger than its parent");
      }
      if (visitor.wants(child, high)) {
        tasks.add(new Task(child, low, high));
      }
    }
  }

  private void checkRange(Task task, byte[] key) {
    byte[] high = task.high();
    if (Arrays.compareUnsigned(key, task.low()) < 0
        || (high != null && Arrays.compareUnsigned(key, high) >= 0)) {
      problem(task.ref().addressA(), "key outside of the page's range");
    }
  }

  private void problem(long block, String what) {
    problemCount++;
    if (problems.size() < MAX_PROBLEMS) {
      problems.add(new Problem(block, "tree " + home.treeId() + ": " + what));
    }
  }

  /** What is wrong, the first hundred. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** How much is wrong. */
  long problemCount() {
    return problemCount;
  }

  /** Sound pages seen so far. */
  long pages() {
    return pages;
  }

  /** Entries seen so far. */
  long entries() {
    return entries;
  }

  /** Nobody keeps what a check looks at. */
  private enum IgnoredPages implements TreePages {
    IGNORED;

    @Override
    public void resident(PageRef page) {}

    @Override
    public void replaced(long addressA, long addressB, long birth) {}
  }
}
