package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.AsyncFiles;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileRequest;
import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A program on one thread, such as an event loop, that never waits for a single request. */
public final class OneThread {
  private int answered;

  private OneThread() {}

  // begin
  private void run(FsmUpcall store) throws InterruptedException {
    try (AsyncFiles files = store.newAsyncFiles()) { // this thread's own
      for (int i = 0; i < 64; i++) {
        byte[] content = ("event " + i).getBytes(UTF_8);
        files.change(
            new FileRequest.Put(
                StorePath.of("/events-" + i), new FileContent.Bytes(content), PutOptions.DEFAULT),
            this::written); // returns at once
      }
      while (answered < 64) {
        files.await(64, Duration.ofSeconds(1).toNanos()); // runs upcalls; an event loop polls
      }
    }
  }

  private void written(Completion<Optional<FileInfo>> completion) {
    if (completion instanceof Completion.Failed<Optional<FileInfo>>(Failure why)) {
      System.out.println(why.message());
    }
    answered++;
  }

  // end

  /** The volume's path is the only argument. */
  public static void main(String[] args) throws InterruptedException {
    OneThread program = new OneThread();
    try (FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm()) {
      program.run(store);
      System.out.println(program.answered + " durable, " + store.exists("/events-63"));
    }
  }
}
