package dev.upcall.specweb.run;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.client.ClientConfig;
import dev.upcall.specweb.client.ClientLoop;
import dev.upcall.specweb.client.WebClient;
import dev.upcall.specweb.load.Answer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A look at the server before it is loaded: does it serve the set, as the load will ask for it? */
public final class Preflight {
  private static final long MORE_NANOS = 10_000_000_000L;

  private Preflight() {}

  /**
   * Asks for one small and one large file of the first and of the last directory, and compares
   * every byte. Blocks.
   *
   * @return what the server calls itself; empty when it does not say
   * @throws IOException when an answer is wrong, with what is wrong and what to do
   */
  public static String check(TestSetup setup) throws IOException, InterruptedException {
    ClientConfig config = setup.client();
    ClientConfig checking =
        new ClientConfig(
            config.requestsPerConnection(),
            1,
            config.timeoutNanos(),
            config.holdNanos(),
            config.sources());
    int last = setup.behaviour().mix().set().directories() - 1;
    List<FileSet.Entry> entries =
        List.of(
            new FileSet.Entry(0, 0, 0),
            new FileSet.Entry(0, FileSet.CLASSES - 1, 0),
            new FileSet.Entry(last, 0, FileSet.FILES_PER_CLASS - 1),
            new FileSet.Entry(last, FileSet.CLASSES - 1, FileSet.FILES_PER_CLASS - 1));
    try (ClientLoop loop = new ClientLoop(setup.machinery().transport())) {
      WebClient client = loop.call(() -> new WebClient(loop, setup.target(), checking));
      for (FileSet.Entry entry : entries) {
        check(setup, entry, answer(loop, client, entry, config));
      }
      return loop.call(
          () -> {
            client.close();
            return client.server() == null ? "" : client.server();
          });
    }
  }

  private static Answer answer(
      ClientLoop loop, WebClient client, FileSet.Entry entry, ClientConfig config)
      throws IOException, InterruptedException {
    BlockingQueue<Answer> answers = new ArrayBlockingQueue<>(1);
    loop.call(
        () -> {
          client.get(entry, answers::add);
          return true;
        });
    // The client gives up by itself; twice its time is never reached.
    long patienceNanos = 2 * (config.timeoutNanos() + config.holdNanos()) + MORE_NANOS;
    Answer answer = answers.poll(patienceNanos, TimeUnit.NANOSECONDS);
    if (answer == null) {
      throw new IOException("no answer to a GET of /" + entry.path());
    }
    return answer;
  }

  private static void check(TestSetup setup, FileSet.Entry entry, Answer answer)
      throws IOException {
    if (answer.fault() != null) {
      throw new IOException(
          "a GET of %s%s went wrong (%s: %s). The server must serve the file set below that URL; \"upcall specweb files DIR --dirs %d\" writes it into a folder"
              .formatted(
                  setup.target().url(),
                  entry.path(),
                  answer.fault().label(),
                  answer.detail(),
                  setup.behaviour().mix().set().directories()));
    }
  }
}
