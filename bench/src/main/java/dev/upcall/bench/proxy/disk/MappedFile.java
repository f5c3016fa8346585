package dev.upcall.bench.proxy.disk;

import dev.upcall.bench.proxy.place.SegmentFile;
import java.util.BitSet;

/**
 * A file that is mapped into memory. A fault reads a page, unless nothing was ever written to it,
 * or it is overwritten wholly.
 */
public final class MappedFile implements SegmentFile {
  private final PageMemory memory;
  private final long firstPage;
  private final boolean readsHoles;
  private final BitSet written = new BitSet();

  /**
   * An empty file.
   *
   * @param memory for its pages
   * @param firstPage where it begins
   * @param readsHoles whether a page to which nothing was written yet is read from the disk, as in
   *     a file that was written in advance
   */
  public MappedFile(PageMemory memory, long firstPage, boolean readsHoles) {
    this.memory = memory;
    this.firstPage = firstPage;
    this.readsHoles = readsHoles;
  }

  @Override
  public void read(long offset, int bytes) {
    for (long page = page(offset); page <= page(offset + bytes - 1); page++) {
      memory.read(firstPage + page);
    }
  }

  @Override
  public void write(long offset, int bytes) {
    long end = offset + bytes;
    for (long page = page(offset); page <= page(end - 1); page++) {
      long begin = page * DiskShape.PAGE_BYTES;
      boolean isWhole = offset <= begin && begin + DiskShape.PAGE_BYTES <= end;
      boolean isHole = !written.get((int) page) && !readsHoles;
      if (isWhole || isHole) {
        memory.write(firstPage + page, PageMemory.WHOLE);
      } else {
        memory.change(firstPage + page);
      }
      written.set((int) page);
    }
  }

  private static long page(long offset) {
    return offset / DiskShape.PAGE_BYTES;
  }
}
