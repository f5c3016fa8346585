package dev.upcall.journal.queue;

import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/** Appends what no producer would. */
public final class RawQueue {
  private RawQueue() {}

  /**
   * Any bytes, of any length.
   *
   * @param folder of a queue's entries
   * @return their index
   */
  public static long append(Path folder, byte[] bytes) {
    ChronicleJvm.prepare();
    try (ChronicleQueue queue =
        SingleChronicleQueueBuilder.binary(folder)
            .rollCycle(ChronicleEntries.ROLL_CYCLE)
            .blockSize(ChronicleEntries.BLOCK_BYTES)
            .build()) {
      ExcerptAppender to = queue.createAppender();
      try (DocumentContext document = to.writingDocument()) {
        document.wire().bytes().write(bytes);
      }
      return to.lastIndexAppended();
    }
  }
}
