package dev.upcall.bench.proxy.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Pages in memory, the requests that they need, and how long these take. */
class PageMemoryTest {
  private static final int PAGES = 4 * DiskShape.GROUP_PAGES;
  private static final int FRAMES = 10;

  private final CountedDisk disk = new CountedDisk(DiskShape.mapped(PAGES));
  private final PageMemory memory =
      new PageMemory(FRAMES, disk, CountedDisk.Purpose.MAPPED, 0, PAGES);

  /** The pages in memory, the most recently used last; true for dirty. */
  private final Map<Long, Boolean> model = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  private long reads;
  private long writes;
  private long written;

  private void modelPut(long page, boolean dirty) {
    if (!model.containsKey(page) && model.size() == FRAMES) {
      long oldest = model.keySet().iterator().next();
      if (Boolean.TRUE.equals(model.remove(oldest))) {
        writes++;
        written++;
      }
    }
    boolean was = Boolean.TRUE.equals(model.get(page));
    model.put(page, dirty || was);
  }

  private void modelRead(long page, boolean dirty) {
    reads += model.containsKey(page) ? 0 : 1;
    modelPut(page, dirty);
  }

  private void modelFlush() {
    List<Long> dirty = new ArrayList<>();
    model.forEach(
        (page, isDirty) -> {
          if (isDirty) {
            dirty.add(page);
          }
        });
    long end = -1;
    long run = 0;
    for (long page : new TreeSet<>(dirty)) {
      boolean goesOn = page == end && run < 8;
      writes += goesOn ? 0 : 1;
      run = goesOn ? run + 1 : 1;
      end = page + 1;
      written++;
    }
    model.replaceAll((page, isDirty) -> false);
  }

  @Test
  void memory_agreesWithAPlainModel() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 20_000; i++) {
      long page = random.nextInt(24);
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          memory.read(page);
          modelRead(page, false);
        }
        case 3, 4 -> {
          memory.change(page);
          modelRead(page, true);
        }
        case 5, 6 -> {
          memory.write(page, PageMemory.WHOLE);
          modelPut(page, true);
        }
        default -> {
          memory.flush();
          modelFlush();
        }
      }
      DiskCounts.Moved moved = disk.counts().mapped();
      assertEquals(reads, moved.reads(), "step " + i);
      assertEquals(reads, moved.readPages());
      assertEquals(writes, moved.writes(), "step " + i);
      assertEquals(written, moved.writtenPages());
    }
  }

  @Test
  void adjacentMissingPages_areReadTogether_upTo64Kb() {
    memory.read(3);
    memory.read(0, 6, PageMemory.WHOLE);
    assertEquals(new DiskCounts.Moved(3, 6, 0, 0), disk.counts().mapped(), "0 to 2, then 4 and 5");
    memory.read(100, 9, PageMemory.WHOLE);
    assertEquals(new DiskCounts.Moved(5, 15, 0, 0), disk.counts().mapped(), "eight, then one");
  }

  @Test
  void aFragmentThatWasWritten_isThere_andItsNeighboursAreNot() {
    memory.write(7, 0b0011);
    memory.read(7, 1, 0b0001);
    assertEquals(0, disk.counts().mapped().reads());
    memory.read(7, 1, 0b0100);
    assertEquals(1, disk.counts().mapped().reads());
    memory.read(7);
    assertEquals(1, disk.counts().mapped().reads(), "the page was read wholly");
  }

  /** 12 ms to another group, 5 ms inside, nothing to go on, 1 ms for a page. */
  @Test
  void time_isThatOfThePapersDisk() {
    memory.read(2_000);
    assertEquals(13_000_000, disk.counts().oneArmNanos());
    memory.read(2_001);
    assertEquals(14_000_000, disk.counts().oneArmNanos());
    memory.read(2_010);
    assertEquals(20_000_000, disk.counts().oneArmNanos());
  }

  @Test
  void threeArms_writeSideBySide() {
    DiskShape shape = DiskShape.files(10);
    CountedDisk disks = new CountedDisk(shape);
    PageMemory pages =
        new PageMemory(FRAMES, disks, CountedDisk.Purpose.FILES, 0, (int) shape.pages());
    pages.write(5, PageMemory.WHOLE);
    pages.write(shape.pages() - 1, PageMemory.WHOLE);
    disks.beginFlush();
    pages.flush();
    disks.endFlush();
    assertEquals(6_000_000 + 13_000_000, disks.counts().oneArmNanos());
    assertEquals(13_000_000, disks.counts().armsNanos(), "the slower of the two");
  }

  /** A hole is not read, a page that is overwritten wholly neither. */
  @Test
  void aMappedFile_readsWhatItMust() {
    MappedFile file = new MappedFile(memory, 0, /* readsHoles= */ false);
    file.write(512, 1_024);
    assertEquals(0, disk.counts().mapped().reads());
    memory.flush();
    memory.read(1_000, 8, PageMemory.WHOLE);
    memory.read(1_010, 2, PageMemory.WHOLE);
    assertEquals(2, disk.counts().mapped().reads());
    file.write(2_048, 512);
    assertEquals(3, disk.counts().mapped().reads(), "the rest of the page must be known");
    file.read(512, 8_192);
    assertEquals(4, disk.counts().mapped().reads(), "both pages, of which one is there");
    file.write(5L * 8_192, 8_192);
    MappedFile full = new MappedFile(memory, 100, /* readsHoles= */ true);
    full.write(0, 8_192);
    assertEquals(4, disk.counts().mapped().reads());
    full.write(8_192, 512);
    assertEquals(5, disk.counts().mapped().reads(), "a page that was written in advance");
  }
}
