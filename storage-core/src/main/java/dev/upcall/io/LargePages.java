package dev.upcall.io;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Direct memory for transfers that the operating system backs by large pages, where it is set up to
 * (on Linux {@code transparent_hugepage/enabled} other than {@code never}). A direct transfer of 1
 * MiB then pins a handful of pages instead of 256 and is one request of the device; with small
 * pages that lie anywhere it is more segments than many devices take, and so two.
 *
 * <p>All may block: helper threads only.
 */
public final class LargePages {
  /** The size and the alignment of a large page. */
  public static final int PAGE_BYTES = 2 << 20;

  private LargePages() {}

  /** The calls, linked when first needed. */
  private static final class Calls {
    private static final LibC LIB_C = new LibC();
  }

  /** For others, too; links them when first asked for. */
  static LibC calls() {
    return Calls.LIB_C;
  }

  /**
   * A zeroed direct little-endian buffer, aligned to {@link #PAGE_BYTES}, all of it touched. Where
   * there are no large pages it has small ones. The JVM counts one large page more than the size as
   * direct memory; physical memory is taken for the size only.
   */
  public static ByteBuffer newBuffer(int sizeBytes) {
    ByteBuffer all = ByteBuffer.allocateDirect(sizeBytes + PAGE_BYTES);
    int skipBytes = (int) (-MemorySegment.ofBuffer(all).address() & (PAGE_BYTES - 1));
    ByteBuffer buffer = all.slice(skipBytes, sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
    int advised = Calls.LIB_C.advise(MemorySegment.ofBuffer(buffer), LibC.MADV_HUGEPAGE);
    // The JVM has zeroed it, and so brought small pages in: they go, and large ones come.
    giveBack(all);
    if (advised >= 0) {
      for (int at = 0; at < sizeBytes; at += Disk.BLOCK_BYTES) {
        buffer.put(at, (byte) 0);
      }
    }
    return buffer;
  }

  /** Takes the physical memory away from a direct buffer; it reads as zeros when used again. */
  public static void giveBack(ByteBuffer buffer) {
    MemorySegment memory = MemorySegment.ofBuffer(buffer.duplicate().clear());
    long skipBytes = -memory.address() & (Disk.BLOCK_BYTES - 1);
    long wholeBytes = (memory.byteSize() - skipBytes) & -Disk.BLOCK_BYTES;
    if (wholeBytes > 0) {
      // Memory that stays only because it may not be taken away is no error.
      int ignored = Calls.LIB_C.advise(memory.asSlice(skipBytes, wholeBytes), LibC.MADV_DONTNEED);
    }
  }
}
