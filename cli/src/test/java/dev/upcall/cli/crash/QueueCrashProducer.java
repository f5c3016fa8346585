package dev.upcall.cli.crash;

import dev.upcall.FileContent;
import dev.upcall.StorePath;
import dev.upcall.journal.entry.Entry;
import dev.upcall.journal.producer.Producer;
import dev.upcall.journal.producer.Receipt;
import dev.upcall.journal.producer.Replies;
import dev.upcall.journal.queue.QueueException;
import dev.upcall.request.FileRequest;
import dev.upcall.request.codec.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A producer that is killed: puts in request after request, and writes down, outside of the queue,
 * each that was acknowledged.
 */
final class QueueCrashProducer {
  /** The most requests that have no reply. */
  private static final int MAX_OPEN = 300;

  private static final int SYNC_EVERY = 64;

  private QueueCrashProducer() {}

  /** What a request asks. */
  enum Kind {
    /** Appends its token to the producer's log. */
    APPEND,
    /** Deletes what is not there, which fails for good. */
    FAILING,
    /** Replaces the producer's large file by one of several parts. */
    LARGE;

    static Kind of(int number) {
      if (number % 7 == 3) {
        return FAILING;
      }
      return number % 29 == 5 ? LARGE : APPEND;
    }
  }

  /**
   * A request that was acknowledged.
   *
   * @param life of the producer
   * @param number in that life
   */
  record Acknowledged(int life, int number, long sequence) {
    static Acknowledged of(String line) {
      String[] fields = line.split(" ", -1);
      return new Acknowledged(
          Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), Long.parseLong(fields[2]));
    }

    String line() {
      return life + " " + number + " " + sequence + "\n";
    }

    String token() {
      return QueueCrashProducer.token(life, number);
    }

    Kind kind() {
      return Kind.of(number);
    }
  }

  static String token(int life, int number) {
    return life + ":" + number + ";";
  }

  /** What a large request puts in place. */
  static byte[] large(int life, int number) {
    byte[] text = token(life, number).getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[2 * Entry.MAX_BODY_BYTES + 1000];
    for (int i = 0; i < all.length; i++) {
      all[i] = text[i % text.length];
    }
    return all;
  }

  /** Where a producer writes down what was acknowledged. */
  static Path journal(Path folder, String name) {
    return folder.resolve("acknowledged-" + name);
  }

  /**
   * Arguments: the folder, the producer's name, which of its lives this is, and when a request is
   * acknowledged: {@code appended} or {@code synced}.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Path.of(args[0]);
    String name = args[1];
    int life = Integer.parseInt(args[2]);
    boolean onceSynced = args[3].equals("synced");
    StringBuilder acknowledged = new StringBuilder();
    try (Producer producer = Producer.open(folder.resolve("queue"), name, 1L << 30);
        Replies replies = producer.replies()) {
      for (int number = 0; ; number++) {
        long sequence;
        boolean isSynced = number % SYNC_EVERY == SYNC_EVERY - 1;
        try {
          sequence = submit(producer, name, life, number).sequence();
          acknowledged.append(new Acknowledged(life, number, sequence).line());
          if (isSynced) {
            producer.sync();
          }
        } catch (QueueException held) {
          if (held.reason() != QueueException.Reason.TIMEOUT) {
            throw held;
          }
          // By one that is killed just now; this request was not acknowledged.
          continue;
        }
        if (isSynced || !onceSynced) {
          Files.writeString(
              journal(folder, name),
              acknowledged,
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
          acknowledged.setLength(0);
        }
        replies.await(sequence - MAX_OPEN, Duration.ofMinutes(5));
      }
    }
  }

  private static Receipt submit(Producer producer, String name, int life, int number)
      throws IOException {
    byte[] token = token(life, number).getBytes(StandardCharsets.US_ASCII);
    return switch (Kind.of(number)) {
      case APPEND -> producer.submit(new Submission.Append(StorePath.of("/log-" + name), token));
      case FAILING -> producer.submit(Submission.of(new FileRequest.Delete("/nothing")));
      case LARGE ->
          producer.submit(
              Submission.of(
                  new FileRequest.Put(
                      "/large-" + name, new FileContent.Bytes(large(life, number)))));
    };
  }
}
