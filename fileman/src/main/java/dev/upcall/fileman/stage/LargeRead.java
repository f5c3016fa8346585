package dev.upcall.fileman.stage;

import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** All bytes of a large file, piece by piece; closes it. On the executor. */
final class LargeRead<T> {

  private final DoorContent content;
  private final StorePath path;
  private final Function<byte[], T> result;
  private final CompletableFuture<T> whole;

  /**
   * A read.
   *
   * @param result what the whole has of the bytes
   */
  LargeRead(
      DoorContent content, StorePath path, Function<byte[], T> result, CompletableFuture<T> whole) {
    this.content = content;
    this.path = path;
    this.result = result;
    this.whole = whole;
  }

  void begin() {
    long size = content.info().sizeBytes();
    if (size > UpcallReads.MAX_ARRAY_BYTES) {
      end(
          UpcallException.of(
              new Failure.TooLarge(path.toString(), size, UpcallReads.MAX_ARRAY_BYTES)));
      return;
    }
    byte[] bytes;
    try {
      bytes = new byte[(int) size];
    } catch (OutOfMemoryError tooLarge) {
      end(tooLarge);
      return;
    }
    next(bytes, ByteBuffer.wrap(bytes));
  }

  private void next(byte[] bytes, ByteBuffer into) {
    if (!into.hasRemaining()) {
      StageDoor.finish(whole, Completion.done(bytes), result);
      content.close();
      return;
    }
    Steps.step(whole, content.read(into.position(), into))
        .whenComplete(
            (count, failed) -> {
              if (failed != null) {
                end(failed);
              } else if (count < 0) {
                end(new IllegalStateException("a pinned version ended early: " + path));
              } else {
                next(bytes, into);
              }
            });
  }

  private void end(Throwable failed) {
    whole.completeExceptionally(failed);
    content.close();
  }
}
