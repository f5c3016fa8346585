package recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.stage.StageFiles;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** A program that composes: nothing waits, and what follows runs on a thread of its choice. */
public final class Stages {
  private Stages() {}

  // begin
  static CompletionStage<FileInfo> bill(StageFiles files, int order) {
    return files
        .readString("/orders/" + order)
        .thenApply(cups -> 10 * Integer.parseInt(cups))
        .thenCompose(sum -> files.writeString("/bills-" + order, "billed " + sum));
  }

  static CompletionStage<Void> record(StageFiles files, int events) {
    return CompletableFuture.allOf(
        IntStream.range(0, events) // more than fit stand in line
            .mapToObj(i -> files.writeString("/events-" + i, "event " + i).toCompletableFuture())
            .toArray(CompletableFuture[]::new));
  }

  // end

  /** The volume's path is the only argument. */
  public static void main(String[] args) {
    try (ExecutorService mine = Executors.newSingleThreadExecutor();
        FsmUpcall store = Upcall.openOrCreate(Path.of(args[0]), UpcallConfig.DEFAULT).fsm();
        StageFiles files = store.newStageFiles(mine)) {
      files
          .write("/orders/7", "3".getBytes(UTF_8), PutOptions.WITH_PARENTS)
          .thenCompose(order -> bill(files, 7))
          .thenCompose(bill -> files.readString("/bills-7"))
          .thenAccept(System.out::println)
          .thenCompose(_ -> record(files, 64))
          .thenRun(() -> System.out.println("64 durable"))
          .toCompletableFuture()
          .join();
    }
  }
}
