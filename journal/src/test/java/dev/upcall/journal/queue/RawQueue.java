package dev.upcall.journal.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NavigableMap;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/** Appends what no producer would, and damages files. */
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
      long header;
      try (DocumentContext document = to.writingDocument()) {
        Bytes<?> file = document.wire().bytes();
        header = file.writePosition() - Integer.BYTES;
        file.write(bytes);
      }
      return EntryPlace.index(to.cycle(), header);
    }
  }

  /**
   * Leaves the file behind the newest one as its maker does who dies before its first header;
   * nothing where there is none.
   *
   * @param folder of a queue's entries
   */
  public static void dieMaking(Path folder) throws IOException {
    QueueFiles files = files(folder);
    NavigableMap<Integer, Path> there = files.byCycle();
    if (!there.isEmpty()) {
      Path made = folder.resolve(files.name(there.lastKey() + 1));
      Files.write(made, new byte[] {0, 0, 0, (byte) 0x80}, StandardOpenOption.CREATE_NEW);
    }
  }

  /**
   * Overwrites the first bytes of an entry, and its header, in the file in which it is.
   *
   * @param index where it is
   */
  public static void damage(Path folder, long index, byte[] bytes) throws IOException {
    Path file = files(folder).byCycle().get(EntryPlace.cycle(index));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), EntryPlace.position(index));
    }
  }

  private static QueueFiles files(Path folder) {
    return new QueueFiles(folder, ChronicleEntries.ROLL_CYCLE, Long.MAX_VALUE, _ -> Long.MAX_VALUE);
  }
}
