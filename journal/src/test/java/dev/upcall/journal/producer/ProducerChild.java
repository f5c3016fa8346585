package dev.upcall.journal.producer;

import dev.upcall.FileContent;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.io.IOException;
import java.nio.file.Path;

/** A program that has no store. */
final class ProducerChild {
  private ProducerChild() {}

  /** Argument: the directory of a queue. */
  public static void main(String[] arguments) throws IOException {
    try (Producer producer = Producer.open(Path.of(arguments[0]), "child", 1L << 30)) {
      Receipt receipt =
          producer.submit(
              Submission.of(new FileRequest.Put("/letter", new FileContent.Bytes(new byte[4]))));
      producer.sync();
      System.out.println("put in as " + receipt.sequence());
      try (Replies replies = producer.replies()) {
        replies.known().forEach(reply -> System.out.println(reply.result()));
      }
    }
  }
}
