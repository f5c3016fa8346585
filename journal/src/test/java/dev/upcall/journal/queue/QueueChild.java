package dev.upcall.journal.queue;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import net.openhft.chronicle.core.analytics.AnalyticsFacade;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;

/** What the tests run in a JVM of its own. */
final class QueueChild {
  private QueueChild() {}

  /** Arguments: what to do, and a directory. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "use" -> System.out.println(use(folder));
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

  private static String use(Path folder) {
    ChronicleJvm.prepare();
    try (ChronicleQueue queue = ChronicleQueue.single(folder.toString())) {
      try (DocumentContext document = queue.createAppender().writingDocument()) {
        document.wire().bytes().writeInt(4711);
      }
      try (DocumentContext document = queue.createTailer().readingDocument()) {
        return "read " + document.wire().bytes().readInt();
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
