package dev.upcall.bench.ecommerce.machine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests for pages of which only the places count: all share one buffer. */
final class PageIo {
  private static final ByteBuffer BYTES = Disk.newBuffer(Disk.MAX_TRANSFER_BYTES);

  /** The most pages of one request. */
  static final int MAX_PAGES = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final Disk disk;
  private final @Nullable PagePlaces places;

  /** Each page has its place. */
  PageIo(Disk disk) {
    this(disk, null);
  }

  /** Pages lie where they were written last; null: each has its place. */
  PageIo(Disk disk, @Nullable PagePlaces places) {
    this.disk = disk;
    this.places = places;
  }

  /** Somebody waits for pages. */
  void read(long page, int pages, int asker, Runnable then) {
    PagePlaces where = places;
    if (where == null) {
      readRun(page, pages, asker, then);
      return;
    }
    List<long[]> runs = runs(where, (int) page, pages);
    int[] left = {runs.size()};
    for (long[] run : runs) {
      readRun(
          run[0],
          (int) run[1],
          asker,
          () -> {
            left[0]--;
            if (left[0] == 0) {
              then.run();
            }
          });
    }
  }

  /** First block and length of each run in which pages lie. */
  private static List<long[]> runs(PagePlaces where, int page, int pages) {
    List<long[]> runs = new ArrayList<>();
    for (int i = 0; i < pages; i++) {
      int block = where.block(page + i);
      long[] last = runs.isEmpty() ? null : runs.getLast();
      if (last != null && last[0] + last[1] == block) {
        last[1]++;
      } else {
        runs.add(new long[] {block, 1});
      }
    }
    return runs;
  }

  private void readRun(long block, int blocks, int asker, Runnable then) {
    disk.submit(
        new DiskRequest.Read(block, bytes(blocks), IoClass.FOREGROUND_READ, port(asker, then)));
  }

  /** A page is written. */
  void writePage(int page, IoClass ioClass, Runnable then) {
    write(places == null ? page : places.move(page), 1, ioClass, then);
  }

  /** Blocks that have their place are written. */
  void write(long block, int blocks, IoClass ioClass, Runnable then) {
    disk.submit(new DiskRequest.Write(block, bytes(blocks), ioClass, port(/* asker= */ 0, then)));
  }

  /** The same, and it lasts. */
  void writeDurably(long block, int blocks, IoClass ioClass, Runnable then) {
    disk.submit(
        new DiskRequest.DurableWrite(block, bytes(blocks), ioClass, port(/* asker= */ 0, then)));
  }

  private static List<ByteBuffer> bytes(int pages) {
    return List.of(BYTES.slice(0, pages * Disk.BLOCK_BYTES));
  }

  private static AskingPort port(int asker, Runnable then) {
    return new AskingPort() {
      @Override
      public int asker() {
        return asker;
      }

      @Override
      public void complete(Completion<Unit> completion) {
        if (!(completion instanceof Completion.Done<Unit>)) {
          throw new IllegalStateException("a modelled device failed: " + completion);
        }
        then.run();
      }
    };
  }
}
