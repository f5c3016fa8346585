package dev.upcall.bench.proxy.disk;

import java.util.List;

/**
 * The areas of the disks, which are one range of pages: cylinder groups of files, then the mapped
 * file.
 *
 * @param groups how many cylinder groups files have
 * @param mappedPages how many pages the mapped file may have
 * @param armEnds the page behind the last one of each arm
 */
public record DiskShape(int groups, int mappedPages, List<Long> armEnds) {
  /** Bytes of a block of the file system, a page in memory, and a page of the mapped file. */
  public static final int PAGE_BYTES = 8192;

  /** Pages of a cylinder group, 8 MB: sixteen cylinders. */
  public static final int GROUP_PAGES = 1024;

  private static final int GROUPS = 1280;
  private static final int MAPPED_GROUPS = 256;

  /** Copies the list. */
  public DiskShape {
    armEnds = List.copyOf(armEnds);
  }

  /**
   * The paper's three disks, of 2, 4 and 4 GB, or a part of each: all for files, directories by
   * size, 820, 1,638 and 1,638.
   *
   * @param part one in so many groups
   */
  public static DiskShape files(int part) {
    int groups = GROUPS / part;
    long fifth = (long) groups / 5 * GROUP_PAGES;
    return new DiskShape(groups, 0, List.of(fifth, 3 * fifth, (long) groups * GROUP_PAGES));
  }

  /**
   * The same, where the disk of 2 GB has the mapped file, and the others 2,048 directories each.
   */
  public static DiskShape filesAndMapped(int part) {
    int groups = (GROUPS - MAPPED_GROUPS) / part;
    int mapped = MAPPED_GROUPS * GROUP_PAGES / part;
    long half = (long) groups / 2 * GROUP_PAGES;
    long end = (long) groups * GROUP_PAGES;
    return new DiskShape(groups, mapped, List.of(half, end, end + mapped));
  }

  /** Nothing but a mapped file. */
  public static DiskShape mapped(int pages) {
    return new DiskShape(0, pages, List.of((long) pages));
  }

  /** The first page of the mapped file. */
  public long mappedBegin() {
    return (long) groups * GROUP_PAGES;
  }

  /** How many pages there are. */
  public long pages() {
    return mappedBegin() + mappedPages;
  }
}
