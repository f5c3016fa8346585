package dev.upcall.bench.proxy.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Page requests of files, worked out by hand. */
class FileSystemTest {
  private static final int FRAMES = 16;

  private final DiskShape shape = DiskShape.files(128);
  private final CountedDisk disk = new CountedDisk(shape);
  private final PageMemory memory =
      new PageMemory(FRAMES, disk, CountedDisk.Purpose.FILES, 0, (int) shape.pages());
  private final FileSystem files = new FileSystem(shape, memory, /* nameEntries= */ 1);
  private final Directory directory = files.createDirectory(files.root(), 2);

  private void forgetAll() {
    memory.flush();
    int unused = (int) shape.pages() - FRAMES;
    for (int page = unused; page < unused + FRAMES; page++) {
      memory.read(page);
    }
    disk.observe(entry -> {});
  }

  private DiskCounts.Moved moved() {
    return disk.counts().files();
  }

  @Test
  void create_changesTheDirectoryAndTheInode_andDataLieBesideThem() {
    memory.flush();
    disk.observe(entry -> {});
    Inode file = files.create(directory);
    files.append(directory, file, 9_000);
    memory.flush();
    assertEquals(
        new DiskCounts.Moved(0, 0, 2, 3),
        moved(),
        "inodes; the block that entries and the end share, with the page behind it");
  }

  @Test
  void open_readsTheDirectoryAndTheInode_unlessTheNameIsKnown() {
    Inode file = files.create(directory);
    files.append(directory, file, 8_192);
    forgetAll();
    files.find(directory, file);
    files.read(file);
    assertEquals(new DiskCounts.Moved(1, 1, 0, 0), moved(), "its name is the last one used");
    files.find(directory);
    forgetAll();
    files.find(directory, file);
    files.read(file);
    assertEquals(new DiskCounts.Moved(3, 3, 0, 0), moved(), "entries, inodes, data");
  }

  @Test
  void aLargeDirectory_isSearchedBlockByBlock() {
    Inode last = files.create(directory);
    for (int i = 0; i < 600; i++) {
      last = files.create(directory);
    }
    assertEquals(3, directory.blocks(), "256 entries a block");
    Inode file = last;
    files.find(directory);
    forgetAll();
    files.find(directory, file);
    assertEquals(4, moved().readPages(), "three blocks and the inodes");
  }

  @Test
  void aFileThatNeedsPointers_hasThem() {
    Inode small = files.create(directory);
    files.append(directory, small, 12 * 8_192);
    Inode large = files.create(directory);
    files.append(directory, large, 12 * 8_192 + 1);
    forgetAll();
    files.read(small);
    assertEquals(new DiskCounts.Moved(2, 12, 0, 0), moved(), "64 KB at a time");
    forgetAll();
    files.read(large);
    assertEquals(new DiskCounts.Moved(2, 14, 0, 0), moved(), "no fragments, a page of pointers");
  }

  @Test
  void whatIsRemoved_isUsedAgain() {
    Inode lock = files.create(directory);
    files.remove(directory, lock);
    Inode file = files.create(directory);
    assertEquals(lock.number(), file.number());
    assertEquals(lock.slot(), file.slot());
    files.append(directory, file, 1);
    assertThrows(IllegalStateException.class, () -> files.remove(directory, file));
  }

  @Test
  void aFullDisk_isSaid() {
    Inode file = files.create(directory);
    assertThrows(
        IllegalStateException.class,
        () -> files.append(directory, file, (int) shape.pages() * DiskShape.PAGE_BYTES));
  }
}
