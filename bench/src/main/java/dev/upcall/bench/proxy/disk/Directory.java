package dev.upcall.bench.proxy.disk;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A directory: its blocks of entries, and where its files are allocated. */
public final class Directory {
  /** Entries of a block. */
  static final int PAGE_ENTRIES = 256;

  /** A directory with no more is a fragment, as a small file is. */
  static final int FRAGMENT_ENTRIES = 32;

  private static final int NONE = -1;

  private final @Nullable Directory parent;
  private final Inode inode;
  private final int group;
  private int[] pages = {};
  private int firstFragments = PageMemory.WHOLE;
  private int entries;
  private int freeSlot = NONE;

  /** Where the next file is looked for a place. */
  private int cursor;

  /** The block whose fragments the ends of files share, and how many are taken. */
  private int sharedPage = NONE;

  private int sharedFragments;

  /**
   * An empty one.
   *
   * @param parent null for the root
   * @param group the cylinder group in which its files have their inodes
   */
  Directory(@Nullable Directory parent, Inode inode, int group) {
    this.parent = parent;
    this.inode = inode;
    this.group = group;
    this.cursor = group * DiskShape.GROUP_PAGES;
  }

  @Nullable Directory parent() {
    return parent;
  }

  Inode inode() {
    return inode;
  }

  int group() {
    return group;
  }

  int blocks() {
    return pages.length;
  }

  int page(int block) {
    return pages[block];
  }

  /** The number of entries that there were at most. */
  public int entries() {
    return entries;
  }

  int cursor() {
    return cursor;
  }

  void moveCursor(int page) {
    cursor = page;
  }

  /** An entry is wanted: one that became free, or the next. */
  int takeSlot() {
    int free = freeSlot;
    freeSlot = NONE;
    return free == NONE ? entries++ : free;
  }

  /** An entry is not wanted any more. */
  void freeSlot(int slot) {
    freeSlot = slot;
  }

  void addBlock(int page) {
    pages = Arrays.copyOf(pages, pages.length + 1);
    pages[pages.length - 1] = page;
  }

  /** The first block lies there. */
  void setFirst(int page, int fragments) {
    pages = pages.length == 0 ? new int[1] : pages;
    pages[0] = page;
    firstFragments = fragments;
  }

  /** Which fragments of a block are the directory's. */
  int fragments(int block) {
    return block == 0 ? firstFragments : PageMemory.WHOLE;
  }

  /** Whether it is a fragment that an entry has no room in. */
  boolean outgrows(int slot) {
    return slot == FRAGMENT_ENTRIES && firstFragments != PageMemory.WHOLE;
  }

  /** Whether the shared block has so many fragments left. */
  boolean hasShared(int fragments) {
    return sharedPage != NONE && sharedFragments + fragments <= Integer.bitCount(PageMemory.WHOLE);
  }

  void share(int page) {
    sharedPage = page;
    sharedFragments = 0;
  }

  int sharedPage() {
    return sharedPage;
  }

  /** Takes fragments of the shared block. */
  int takeShared(int fragments) {
    int taken = (1 << fragments) - 1 << sharedFragments;
    sharedFragments += fragments;
    return taken;
  }
}
