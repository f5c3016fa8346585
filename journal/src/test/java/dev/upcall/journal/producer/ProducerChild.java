package dev.upcall.journal.producer;

import dev.upcall.journal.entry.Condition;
import dev.upcall.journal.entry.Request;
import java.io.IOException;
import java.nio.file.Path;

/** A program that has no store. */
final class ProducerChild {
  private ProducerChild() {}

  /** Argument: the directory of a queue. */
  public static void main(String[] arguments) throws IOException {
    try (Producer producer = Producer.open(Path.of(arguments[0]), "child", 1L << 30)) {
      Receipt receipt =
          producer.submit(new Request.Put("/letter", Condition.NONE, true, 4), new byte[4]);
      producer.sync();
      System.out.println("put in as " + receipt.sequence());
      try (Replies replies = producer.replies()) {
        replies.known().forEach(reply -> System.out.println(reply.result()));
      }
    }
  }
}
