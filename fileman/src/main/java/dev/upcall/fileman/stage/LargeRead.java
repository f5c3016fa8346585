package dev.upcall.fileman.stage;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.fileman.reading.WholeRead;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** All bytes of a large file, piece by piece; closes it. On the executor. */
final class LargeRead<T> {
  private final Asker asker;
  private final WholeRead.Found.Large file;
  private final DoorContent content;
  private final StorePath path;
  private final Function<? super byte[], ? extends T> result;
  private final CompletableFuture<T> whole;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * A read.
   *
   * @param file with its part of the heap's budget
   * @param result what the whole has of the bytes
   */
  LargeRead(
      Asker asker,
      WholeRead.Found.Large file,
      StorePath path,
      Function<? super byte[], ? extends T> result,
      CompletableFuture<T> whole) {
    this.asker = asker;
    this.file = file;
    this.content = new DoorContent(asker, file.side());
    this.path = path;
    this.result = result;
    this.whole = whole;
  }

  void begin() {
    whole.whenComplete((_, _) -> letGo());
    byte[] bytes = WholeRead.array(path, content.info().sizeBytes());
    next(bytes, ByteBuffer.wrap(bytes));
  }

  private void next(byte[] bytes, ByteBuffer into) {
    if (!into.hasRemaining()) {
      letGo(); // what is behind the stage may run for long
      StageDoor.finish(whole, Completion.done(bytes), result);
      return;
    }
    Steps.goOn(
        whole,
        Steps.step(whole, content.read(into.position(), into)),
        count -> {
          if (count < 0) {
            throw new IllegalStateException("a pinned version ended early: " + path);
          }
          next(bytes, into);
        });
  }

  private void letGo() {
    if (!over.getAndSet(true)) {
      asker.giveBack(() -> DoorStageReads.lost(file));
    }
  }
}
