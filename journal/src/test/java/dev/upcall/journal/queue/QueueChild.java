package dev.upcall.journal.queue;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import net.openhft.chronicle.core.analytics.AnalyticsFacade;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/** What the tests run in a JVM of its own. */
final class QueueChild {
  private QueueChild() {}

  /** Arguments: what to do, and a directory. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "use" -> System.out.println(use(folder));
      case "append" -> append(folder);
      case "hold" -> hold(folder);
      case "watch" -> {
        SocketWatch.install();
        System.out.println(use(folder));
        tellSockets();
      }
      case "talk" -> {
        SocketWatch.install();
        talk();
        tellSockets();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static String use(Path folder) throws QueueException {
    try (EntryQueue queue = open(folder)) {
      long index = queue.append(new byte[] {47, 11});
      queue.sync();
      return "read " + Arrays.toString(queue.read(index));
    }
  }

  private static EntryQueue open(Path folder) throws QueueException {
    return ChronicleEntries.open(folder, 1L << 40, System::currentTimeMillis);
  }

  /** Appends numbers for ever and says each index. */
  private static void append(Path folder) throws QueueException {
    try (EntryQueue queue = open(folder)) {
      for (int number = 0; ; number++) {
        byte[] entry = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        System.out.println(queue.append(entry));
      }
    }
  }

  /** Begins an entry, says so, and never ends it. */
  private static void hold(Path folder) throws IOException {
    open(folder).close();
    try (ChronicleQueue queue =
        SingleChronicleQueueBuilder.binary(folder)
            .rollCycle(ChronicleEntries.ROLL_CYCLE)
            .blockSize(ChronicleEntries.BLOCK_BYTES)
            .build()) {
      ExcerptAppender appender = queue.createAppender();
      try (DocumentContext document = appender.writingDocument()) {
        document.wire().bytes().writeInt(4711);
        System.out.println("held");
        System.in.read();
        document.rollbackOnClose();
      }
    }
  }

  private static void talk() {
    try {
      new Socket().close();
    } catch (IllegalStateException | IOException refused) {
      System.out.println("socket: " + refused.getMessage());
    }
    try {
      SocketChannel.open().close();
    } catch (IOException refused) {
      System.out.println("channel: " + refused.getMessage());
    }
  }

  private static void tellSockets() throws IOException {
    System.out.println("statistics " + AnalyticsFacade.isEnabled());
    System.out.println("asked " + SocketWatch.asked() + " open " + SocketWatch.open());
  }
}
