package dev.upcall.bench.proxy.disk;

import java.util.BitSet;

/**
 * Files as a fast file system has them: inodes and data of a directory's files in the directory's
 * cylinder group, data behind the file before, directories that are searched from their begin,
 * changes written later. It decides what pages in memory are wanted or changed; these decide what
 * goes to the disk.
 */
public final class FileSystem {
  private static final int FRAGMENT_BYTES = 1024;
  private static final int PAGE_INODES = 64;

  /** The first pages of each group: one inode for each 4 KB. */
  private static final int INODE_PAGES = 32;

  private static final int GROUP_INODES = INODE_PAGES * PAGE_INODES;

  /** A file with more has no fragments, and pages of pointers. */
  private static final int DIRECT_PAGES = 12;

  private static final int POINTERS = DiskShape.PAGE_BYTES / 4;

  private final PageMemory memory;
  private final NameCache names;
  private final int groups;
  private final BitSet usedPages;
  private final BitSet usedInodes = new BitSet();
  private final Directory root;

  /**
   * An empty file system.
   *
   * @param memory for its pages, from the first one of the disk on
   * @param nameEntries of the cache of names
   */
  public FileSystem(DiskShape shape, PageMemory memory, int nameEntries) {
    this.memory = memory;
    this.groups = shape.groups();
    this.names = new NameCache(nameEntries, groups * GROUP_INODES);
    this.usedPages = new BitSet(groups * DiskShape.GROUP_PAGES);
    for (int group = 0; group < groups; group++) {
      int first = group * DiskShape.GROUP_PAGES;
      usedPages.set(first, first + INODE_PAGES);
    }
    int number = takeInode(/* group= */ 0);
    this.root = new Directory(null, new Inode(number, /* slot= */ 0), /* group= */ 0);
  }

  /** Where paths begin; it is always known. */
  public Directory root() {
    return root;
  }

  /** How many cylinder groups there are. */
  public int groups() {
    return groups;
  }

  /** Finds a directory by its path. */
  public void find(Directory directory) {
    Directory parent = directory.parent();
    if (parent != null) {
      find(parent);
      find(parent, directory.inode());
    }
  }

  /** Finds a file in its directory: by the cache of names, or in the directory. */
  public void find(Directory in, Inode file) {
    if (names.finds(file.number())) {
      return;
    }
    for (int block = 0; block <= file.slot() / Directory.PAGE_ENTRIES; block++) {
      readBlock(in, block);
    }
    memory.read(inodePage(file));
    names.add(file.number());
  }

  /** Looks for a name that is not there. */
  public void searchInVain(Directory in) {
    for (int block = 0; block < in.blocks(); block++) {
      readBlock(in, block);
    }
  }

  private void readBlock(Directory in, int block) {
    memory.read(in.page(block), 1, in.fragments(block));
  }

  /** Makes an empty file. */
  public Inode create(Directory in) {
    return create(in, in.group());
  }

  private Inode create(Directory in, int inodeGroup) {
    searchInVain(in);
    int slot = in.takeSlot();
    int block = slot / Directory.PAGE_ENTRIES;
    if (in.outgrows(slot)) {
      in.setFirst(takePage(in), PageMemory.WHOLE);
      memory.write(in.page(0), PageMemory.WHOLE);
    } else if (block == in.blocks()) {
      in.addBlock(takePage(in));
      memory.write(in.page(block), PageMemory.WHOLE);
    } else {
      memory.change(in.page(block), in.fragments(block));
    }
    Inode file = new Inode(takeInode(inodeGroup), slot);
    memory.change(inodePage(file));
    names.add(file.number());
    return file;
  }

  /** Makes a directory in a cylinder group. */
  public Directory createDirectory(Directory in, int group) {
    Directory directory = new Directory(in, create(in, group), group);
    int fragment = takeFragments(directory, 1);
    directory.setFirst(directory.sharedPage(), fragment);
    memory.write(directory.sharedPage(), fragment);
    return directory;
  }

  /** Removes a file that has no bytes. */
  public void remove(Directory in, Inode file) {
    if (file.runs() > 0) {
      throw new IllegalStateException("only empty files are removed");
    }
    find(in, file);
    int block = file.slot() / Directory.PAGE_ENTRIES;
    memory.change(in.page(block), in.fragments(block));
    memory.change(inodePage(file));
    in.freeSlot(file.slot());
    names.remove(file.number());
    usedInodes.clear(file.number());
  }

  /** Writes bytes behind those that a file has, into places of their own. */
  public void append(Directory in, Inode file, int bytes) {
    int pages = bytes / DiskShape.PAGE_BYTES;
    int rest = bytes % DiskShape.PAGE_BYTES;
    if (pages >= DIRECT_PAGES && rest > 0) {
      pages++;
      rest = 0;
    }
    for (int i = 0; i < pointerPages(pages) + pages; i++) {
      int page = takePage(in);
      file.add(page, PageMemory.WHOLE);
      memory.write(page, PageMemory.WHOLE);
    }
    int fragments = (rest + FRAGMENT_BYTES - 1) / FRAGMENT_BYTES;
    if (fragments > 0) {
      int taken = takeFragments(in, fragments);
      file.add(in.sharedPage(), taken);
      memory.write(in.sharedPage(), taken);
    }
  }

  /** Fragments of the block that a directory's files share; a new one where it has too few. */
  private int takeFragments(Directory in, int fragments) {
    if (!in.hasShared(fragments)) {
      in.share(takePage(in));
    }
    return in.takeShared(fragments);
  }

  private static int pointerPages(int pages) {
    if (pages <= DIRECT_PAGES) {
      return 0;
    }
    return pages <= DIRECT_PAGES + POINTERS ? 1 : 3;
  }

  /** Changes something in the last page of a file. */
  public void changeEnd(Inode file) {
    int last = file.runs() - 1;
    memory.change(file.firstPage(last) + file.pages(last) - 1, file.lastFragments(last));
  }

  /** Reads a file from begin to end. */
  public void read(Inode file) {
    for (int run = 0; run < file.runs(); run++) {
      memory.read(file.firstPage(run), file.pages(run), file.lastFragments(run));
    }
  }

  private static int inodePage(Inode file) {
    int group = file.number() / GROUP_INODES;
    return group * DiskShape.GROUP_PAGES + file.number() % GROUP_INODES / PAGE_INODES;
  }

  /** The next free inode of a group; of the groups behind it when it has none. */
  private int takeInode(int group) {
    return take(usedInodes, group * GROUP_INODES, groups * GROUP_INODES, "inodes");
  }

  /** The next free page behind the file before of a directory. */
  private int takePage(Directory in) {
    int page = take(usedPages, in.cursor(), groups * DiskShape.GROUP_PAGES, "pages");
    in.moveCursor(page + 1);
    return page;
  }

  private static int take(BitSet used, int from, int end, String what) {
    int found = used.nextClearBit(from);
    if (found >= end) {
      found = used.nextClearBit(0);
    }
    if (found >= end) {
      throw new IllegalStateException("the disk has no " + what + " left");
    }
    used.set(found);
    return found;
  }
}
