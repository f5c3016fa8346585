package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeConfig;
import dev.upcall.tree.TreePages;
import dev.upcall.tree.TreeVersion;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The extent trees of large segments. Each is immutable once a commit names its root; changing one
 * makes a fork. Keys are the last content block of each entry (u64, big-endian), so that one look
 * from a block on finds the entry that covers it.
 */
public final class LayoutTrees {
  /** The tree id that all extent trees carry in their pages. */
  public static final int TREE_ID = 16;

  private final TreeConfig config;
  private final TreePages pages;
  private final Map<Long, Tree> open;
  private final SharedTrees shared = new SharedTrees();
  private final MapTrees maps;

  /**
   * The extent trees of a volume with this geometry. Trees are kept open, least recently used last,
   * as many as could have a page in memory: opening one again means reading its pages again.
   *
   * @param pageCacheBytes heap memory for tree pages
   */
  public LayoutTrees(TreeConfig config, TreePages pages, long pageCacheBytes) {
    this.config = config;
    this.pages = pages;
    long pagesInMemory = pageCacheBytes / config.pageBytes();
    this.open = new RecentPages<>(pagesInMemory);
    this.maps = new MapTrees(config, pages, pagesInMemory);
  }

  /** The trees of maps of pieces. */
  public MapTrees maps() {
    return maps;
  }

  /** The tree of a layout, for reading; its resident pages are shared by all who read it. */
  public Tree tree(Layout.Indexed layout) {
    Tree tree = open.get(layout.root().addressA());
    PageRef root = tree == null ? null : tree.root();
    return tree == null || root == null || !root.samePageAs(layout.root())
        ? open(layout.root())
        : tree;
  }

  private Tree open(PageRef root) {
    Tree tree = new Tree(config, TREE_ID, root, pages);
    open.put(root.addressA(), tree);
    shared.opened(Invariants.present(tree.root(), "the root of an extent tree"));
    return tree;
  }

  /** A root that was just written: what of its tree is in memory need not be read again. */
  public void written(PageRef root) {
    open(root);
  }

  /** The most entries of a page, however small they are. */
  public int mostEntries() {
    return config.maxLeafEntries();
  }

  /** What other threads see of them. */
  public SharedTrees shared() {
    return shared;
  }

  /** A new tree for extents that no commit names yet. */
  public Tree newTree(TreePages privatePages) {
    return new Tree(config, TREE_ID, null, privatePages);
  }

  /**
   * The entry that covers a content block or else the next one behind it, or null. May throw {@code
   * PageMissing}.
   */
  public static @Nullable ExtentEntry ceiling(Tree tree, long logicalBlock) {
    return entry(tree.ceiling(key(logicalBlock)));
  }

  /** As {@link #ceiling(Tree, long)}, on any thread. */
  public static @Nullable ExtentEntry ceiling(TreeVersion tree, long logicalBlock) {
    return entry(tree.ceiling(key(logicalBlock)));
  }

  private static @Nullable ExtentEntry entry(Tree.@Nullable Entry found) {
    return found == null ? null : entry(found.key(), found.value());
  }

  /** The entry of a key and a value. */
  public static ExtentEntry entry(byte[] key, byte[] value) {
    long last = ByteBuffer.wrap(key).getLong();
    return InodeCodec.decodeEntry(last - InodeCodec.entryBlocks(value) + 1, value);
  }

  /** The key under which an entry is kept. */
  public static byte[] key(ExtentEntry entry) {
    return key(entry.logicalEnd() - 1);
  }

  /** The key of a last content block. */
  public static byte[] key(long lastBlock) {
    return ByteBuffer.allocate(8).putLong(lastBlock).array();
  }
}
