package dev.upcall.bench.ecommerce.machine;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.AskingPort;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import java.nio.ByteBuffer;
import java.util.List;

/** Requests for pages of which only the places count: all share one buffer. */
final class PageIo {
  private static final ByteBuffer BYTES = Disk.newBuffer(Disk.MAX_TRANSFER_BYTES);

  /** The most pages of one request. */
  static final int MAX_PAGES = Disk.MAX_TRANSFER_BYTES / Disk.BLOCK_BYTES;

  private final Disk disk;

  PageIo(Disk disk) {
    this.disk = disk;
  }

  /** Somebody waits for pages. */
  void read(long page, int pages, int asker, Runnable then) {
    disk.submit(
        new DiskRequest.Read(page, bytes(pages), IoClass.FOREGROUND_READ, port(asker, then)));
  }

  /** Pages are written. */
  void write(long page, int pages, IoClass ioClass, Runnable then) {
    disk.submit(new DiskRequest.Write(page, bytes(pages), ioClass, port(/* asker= */ 0, then)));
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
